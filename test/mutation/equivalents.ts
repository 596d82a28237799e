/** Mutants that no test can detect, for they change nothing that the domain's callers see. */
export const equivalents: readonly { file: string; original: string; mutated: string; reason: string }[] = [];
