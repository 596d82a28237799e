/** Where callbacks go: base address of the receiver, and the signing secret (`whsec_…`) when they are signed. */
export interface CallbackTarget {
  url: string;
  secret?: string | undefined;
}
