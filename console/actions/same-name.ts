const plain = (name: string) => name.normalize('NFC').trim().replace(/\s+/g, ' ').toLowerCase();

/** Whether two names, of which a person typed one, mean the same person. */
export const isSameName = (one: string, other: string): boolean => plain(one) === plain(other);
