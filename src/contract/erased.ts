/** In the place of a payload of which an erasure left nothing. */
export const erased = { 'handover:erased': true } as const;
