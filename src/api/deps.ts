import type { Payload } from '@temporalio/common';
import type { FastifyPluginAsync } from 'fastify';
import type { Logger } from 'pino';
import type { Role } from '../contract/role.js';
import type { Tracing } from '../contract/tracing.js';
import type { InboxExplorer } from '../inbox/explorer.js';
import type { IntakeState } from '../inbox/intake-state.js';
import type { Catalogue } from '../platform/catalogue/catalogue.js';
import type { Activity } from '../store/activity.js';
import type { Alerts } from '../store/alerts/alerts.js';
import type { Audit } from '../store/audit.js';
import type { Plates } from '../store/cars/plates.js';
import type { ChangeFeed } from '../store/changes/feed.js';
import type { Certificates } from '../store/erasure/certificates.js';
import type { Findings } from '../store/findings/board.js';
import type { UndeliveredPosts } from '../store/outbox/dead-letters.js';
import type { Persons } from '../store/persons.js';
import type { BlobStore } from '../store/photos/store.js';
import type { Claims } from '../store/reservations/claims.js';
import type { ReservationLists } from '../store/reservations/list.js';
import type { Timeline } from '../store/reservations/timeline.js';
import type { Schedule } from '../store/schedule.js';
import type { Sealer } from '../store/sealing/sealer.js';
import type { Shifts } from '../store/shifts.js';
import type { Bookings } from '../temporal/client/bookings/types.js';
import type { CarWrites } from '../temporal/client/cars/types.js';
import type { Eraser } from '../temporal/client/erasure/eraser.js';
import type { Holds } from '../temporal/client/holds/types.js';
import type { Probe } from '../temporal/client/probes.js';
import type { Reservations } from '../temporal/client/reservations/types.js';
import type { AccessToken, OidcSettings } from './http/access.js';
import type { HttpLimits } from './http/limits.js';
import type { Metrics } from './http/metrics.js';
import type { SenderOf } from './http/sender.js';
import type { TrustedSenders } from './http/trusted-senders.js';

/** Who may decrypt payloads, and how. */
export interface CodecAccess {
  token: string;
  /** Where Temporal UI's pages come from, e.g. `http://127.0.0.1:8233`. */
  uiOrigins: readonly string[];
  /** @throws `CodecError` */
  decode(payloads: Payload[]): Promise<Payload[]>;
  /** What an encrypted payload is about, e.g. `reservation/17`; empty: no data key says. Undefined: it is not encrypted. */
  subjectOf(payload: Payload): string | undefined;
}

/** Dependencies of the routes of products and cars. */
export interface Fleet {
  /** The platform's roles that have a key here (G26). */
  roles: readonly Role[];
  catalogue: Catalogue;
  carWrites: CarWrites;
}

/** What runs here, for the console. */
interface Installation {
  version: string;
  /** Address of Temporal UI, where it is known. */
  temporalUi: string | null;
  temporalNamespace: string;
}

export interface ApiDeps {
  tokens: readonly AccessToken[];
  /** The sender of a request behind proxies; absent: the other end of the connection. */
  senderOf?: SenderOf;
  /** Seals logins: every api process of the deployment has the same keys. */
  sessionSealer: Sealer;
  /** Absent: staff log in with a token. */
  oidc?: OidcSettings;
  /** By which logins end; absent: `Date.now`. */
  clock?: () => number;
  installation: Installation;
  /** Where the build leaves the console. */
  consoleFolder: string;
  /** False: `/docs` is not served. */
  docs?: boolean;
  /** Offset of the service's zone in minutes (G18): timestamps are written in it. */
  zoneOffsetMinutes: number;
  log: Logger;
  metrics: Metrics;
  reservations: Reservations;
  lists: ReservationLists;
  bookings: Bookings;
  fleet: Fleet;
  holds: Holds;
  findings: Findings;
  inbox: InboxExplorer;
  intakeState(): Promise<IntakeState>;
  /** Posts to ALERT_URL and FORWARD_URL. */
  outbox: UndeliveredPosts;
  audit: Audit;
  timeline: Timeline;
  alerts: Pick<Alerts, 'list'>;
  claims: Claims;
  persons: Persons;
  activity: Activity;
  plates: Plates;
  shifts: Shifts;
  erasures: Pick<Eraser, 'erase' | 'eraseDriver' | 'preview'> & Pick<Certificates, 'list'>;
  /** Whether a reservation was closed. */
  isClosed(reservationId: number): Promise<boolean>;
  schedule: Schedule;
  changes: Pick<ChangeFeed, 'read'>;
  photos: Pick<BlobStore, 'putPhoto' | 'readPhoto' | 'probe'>;
  /** Readiness: each resolves while its part answers, and rejects otherwise. */
  probes: Readonly<Record<string, Probe>> & { readonly database: Probe };
  /** The same for callbacks, which need the database alone, by connections of their own. Absent: as `probes.database`. */
  intakeProbe?: Probe;
  /** Rejects while no callback is received, where the receiver has a thread of its own. */
  receiver?: Probe;
  /** Each rejects where only a restart helps. Absent: the process lives while it answers. */
  liveness?: Readonly<Record<string, Probe>>;
  /** Of the Temporal SDK, as text for `/metrics`. */
  sdkMetrics?: () => Promise<string>;
  /** The process is about to stop: it still serves, and is not ready any more. */
  isStopping?: () => boolean;
  /** Absent: there is no codec endpoint. */
  codec?: CodecAccess;
  limits?: Partial<HttpLimits>;
  /** Absent: nothing is traced. */
  tracing?: Tracing | undefined;
  /** With `intake` the receiver's too; absent: no sender is trusted. */
  trusted?: TrustedSenders;
  /** The callback receiver, registered in a scope of its own. */
  intake?: FastifyPluginAsync;
  /** The callback paths, where they are served on a port of their own (CALLBACK_PORT). */
  callbacksElsewhere?: readonly string[];
}
