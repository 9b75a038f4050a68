// Before anything is drawn: the theme the reader chose last, else the system's.
try {
  const chosen = localStorage.getItem("tk-theme");
  if (chosen) document.documentElement.dataset.jpThemeLight = String(chosen === "light");
} catch { /* a browser may keep nothing for files */ }
document.documentElement.classList.add("scripted");
