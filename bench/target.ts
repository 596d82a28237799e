/** One measured side: a program with its sandbox and its engine. All sides have the same HTTP paths. */
export interface Target {
  /** `product`, `floor`, or the compared commit. */
  name: string;
  apiUrl: string;
  /** Where callbacks go. */
  receiverUrl: string;
  sandboxUrl: string;
  temporalAddress: string;
  processes: Processes;
  stop(): Promise<void>;
}

/** Process ids. */
export interface Processes {
  program: number;
  engine: number;
  /** Absent where the sandbox runs within the program. */
  sandbox?: number;
}

/** Keys and secrets of all sides, created for one run. */
export const access = {
  token: 'bench-staff-token',
  channelKey: 'bench-channel-key',
  supplierKey: 'bench-supplier-key',
  /** Ids of products in the seed fleet (`src/sandbox/fleet/small.ts`). */
  companyId: 11,
  products: [301, 302],
  callbackSecret: `whsec_${Buffer.alloc(32, 'bench').toString('base64')}`,
};

export const host = '127.0.0.1';
