import type { MessagePort } from 'node:worker_threads';
import type { MetricData } from '../../../api/http/metrics.js';
import type { ReceiverFigures } from '../../../inbox/receive/figures.js';
import type { IntakeSettings } from './intake.js';

/** What a receiver's thread is started with: data that can be copied to it. */
export interface ThreadSettings extends IntakeSettings {
  host: string;
  port: number;
  /** Undefined: the embedded database; its ports arrive as `database` messages. */
  databaseUrl: string | undefined;
  logLevel: string;
  wireProfile: string;
}

/** What the thread has counted; sent every second, which also shows that it lives. */
export interface ThreadReport {
  figures: ReceiverFigures;
  metrics: MetricData[];
}

export type FromThread =
  | { kind: 'listening'; url: string; report: ThreadReport }
  | { kind: 'report'; report: ThreadReport }
  /** Number of callbacks since the last such message. */
  | { kind: 'stored'; callbacks: number }
  /** A line of the log. */
  | { kind: 'line'; line: string };

export type ToThread =
  /** Not ready, still serving. */
  | { kind: 'drain' }
  /** Ends once all that was received is stored. */
  | { kind: 'stop' }
  /** The embedded database has opened. */
  | { kind: 'database'; port: MessagePort };
