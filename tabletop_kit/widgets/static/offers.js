// What somebody may declare who is not asked: one row for everything that is legal of it.

export function offerRows(offer) {
  return offer.kinds.flatMap((kind, kindIndex) => kind.options.map((option) => ({
    offer,
    kind: { ...kind, fields: [] },
    kindIndex,
    words: option.label,
    beside: option.beside?.filter(Boolean).join(", "),
    options: [option],
    passed: [],
    bound: [],
    id: `offer ${offer.number}/${kindIndex}/${option.key}`,
    only: option,
    legal: true,
  })));
}
