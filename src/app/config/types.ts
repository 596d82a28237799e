import type { AccessToken, OidcSettings } from '../../api/http/access.js';
import type { Network } from '../../api/http/network.js';
import type { BlobPlace } from '../../store/photos/blob-place.js';
import type { CodecKey } from '../../store/sealing/codec-key.js';
import type { SandboxKey } from './lists.js';
import type { CallbackAuth } from './variables.js';

/** Everything the environment decides. An empty list or an absent field: not given (see `completeConfig`). */
export interface Config {
  /** Absolute. */
  dataDir: string;
  /**
   * Status API and callback receiver; port 0 takes any free one. `drainMs`: after a SIGTERM requests are served for so long while
   * readiness fails.
   */
  http: { host: string; port: number; drainMs: number };
  /** Health and metrics of `handover worker`, and how many activities of each kind it runs at once. */
  worker: { port: number; slots: Record<'platform' | 'bookings' | 'scans' | 'database', number> };
  temporal: {
    /** True: an external Temporal service, read by `@temporalio/envconfig`; else the embedded engine. */
    external: boolean;
    port: number;
    uiPort: number;
    /** Whether Temporal UI shows the call stack of workflows. */
    stackTraces: boolean;
    /** Workers have versions (Worker Versioning) of this deployment; absent: they have none. `buildId` absent: of the build. */
    deployment?: { name: string; buildId?: string };
  };
  /** Absent: embedded in the data folder. */
  databaseUrl?: string;
  /** `baseUrl` absent: the embedded sandbox. A role without a key is off (G26). No trailing slash. */
  platform: {
    baseUrl?: string;
    channelKey?: string;
    supplierKey?: string;
    /** Most requests of all workers in a second; absent: no limit. */
    perSecond?: number;
  };
  /**
   * Several secrets: all are accepted (rotation). `expected`: explicit secrets imply that callbacks are expected; generated ones do
   * not say that.
   */
  callbacks: {
    auth: CallbackAuth;
    secrets: string[];
    expected: boolean;
    /** Of a listener for callbacks alone; absent: they come to the status API's. */
    port?: number;
    senders: { allow: Network[]; proxies: Network[] };
  };
  /**
   * How often the platform's schedule is compared with the reservations, in milliseconds (0: never), and which days of it:
   * so many before today, and after it.
   */
  reconciliation: { everyMs: number; days: { back: number; ahead: number } };
  /** When the intake raises alerts, and how long it stores callbacks: milliseconds. */
  intake: { backlogAfterMs: number; silenceAfterMs: number; bodiesMs: number; verdictsMs: number };
  blobs: BlobPlace;
  /** How long personal data is stored after the closing of its reservation, and its photos: milliseconds. */
  erasure: { reservationsMs: number; photosMs: number };
  tokens: AccessToken[];
  /** Origin at which browsers reach the console. */
  consoleUrl?: string;
  /** The identity provider that persons log in with; absent: tokens alone. */
  oidc?: OidcSettings;
  /** Whether the status API serves its documentation at `/docs`. */
  docs: boolean;
  /** Alerts are posted to `url`, signed with `secret` (`whsec_…`); without an address nothing is posted. */
  alerts: { url?: string; secret?: string };
  /** Accepted callbacks are forwarded to the receiver at the base address `url`, signed with `secret`: both, or neither. */
  forward: { url?: string; secret?: string };
  /**
   * Encryption of what Temporal and the database store (L60): the first key encrypts, all decrypt. `bind`: ciphertext is
   * bound to its row, or to its namespace and workflow. The codec endpoint is off without its token; `uiOrigin` is the
   * Temporal UI whose pages may use it.
   */
  codec: {
    keys: CodecKey[];
    bind: boolean;
    writesDataKeys: boolean;
    endpointToken?: string;
    uiOrigin?: string;
  };
  sandbox: {
    port: number;
    /** Absent: embedded in the data folder. */
    databaseUrl?: string;
    keys: SandboxKey[];
    /** Base address of the receiver, no trailing slash; absent: the embedded one. */
    callbackUrl?: string;
    callbackSecret?: string;
    fleet: string;
  };
  /** A built-in name or a module path. */
  wireProfile: string;
  logLevel: string;
  /** How often the key of a suspended role is tried again (L30), in milliseconds. */
  keyProbeMs: number;
  /** Those durations of the lifecycle rules that an operator chooses, in milliseconds; `policyOf` adds the others. */
  durations: {
    dispatchLeadMs: number;
    lateLadderMs: readonly number[];
    recallOverdueMs: number;
    settleMs: number;
    holdProposalMs: number;
    dangerLeadMs: number;
  };
}
