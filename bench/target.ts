/** What is measured: a program with its sandbox and its engine, behind the same HTTP paths. */
export interface Target {
  /** `product`, `floor`, or the commit that the product is compared with. */
  name: string;
  apiUrl: string;
  sandboxUrl: string;
  temporalAddress: string;
  processes: Processes;
  stop(): Promise<void>;
}

/** Process ids. */
export interface Processes {
  program: number;
  engine: number;
  /** Absent where the program has its sandbox within it. */
  sandbox?: number;
}

/** Keys and secrets of both sides; they live as long as the run. */
export const access = {
  token: 'bench-staff-token',
  channelKey: 'bench-channel-key',
  supplierKey: 'bench-supplier-key',
  /** Of the seed fleet (see `src/sandbox/fleet/small.ts`), with these products. */
  companyId: 11,
  products: [301, 302],
  callbackSecret: `whsec_${Buffer.alloc(32, 'bench').toString('base64')}`,
};

export const host = '127.0.0.1';
