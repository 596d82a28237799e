import type { Client } from '@temporalio/client';
import { WorkflowNotFoundError } from '@temporalio/client';
import { createActivities } from '../../activities/index.js';
import type { ReadPhoto } from '../../activities/reservation.js';
import type { RoleDeps } from '../../activities/role.js';
import { type Role, roleWorkflowId } from '../../src/contract/role.js';
import type { PlatformClient } from '../../src/platform/client/index.js';
import { type CallErrorCode, PlatformCallError } from '../../src/platform/errors.js';
import type { Alert, AlertSubject, Alerts } from '../../src/store/alerts/alerts.js';
import { inEnglish } from '../../src/store/alerts/messages/message.js';
import { createRoleGate } from '../../src/store/alerts/role-gate.js';
import type { ListPage } from '../../src/store/page.js';
import { moveStrandedRole } from '../../src/temporal/client/roles.js';
import { FakeAttempts } from './attempts.js';
import { noBookings } from './fake-bookings.js';
import { FakePlatform } from './fake-platform.js';

interface Call {
  operation: string;
  reservationId: number | null;
}

/** A platform whose keys can be refused, behind the product's own activities; it keeps what it was asked. */
export class GuardedPlatform extends FakePlatform {
  readonly calls: Call[] = [];
  readonly alerts = new AlertsInMemory();
  readonly gate = createRoleGate(this.alerts);
  readPhoto: ReadPhoto = async () => new Uint8Array(8);
  /** What a call is refused with; undefined: it is taken. */
  refusal: (call: Call) => CallErrorCode | undefined = () => undefined;

  constructor(
    private readonly client: Client,
    private readonly settings: RoleDeps['settings'] = { probeMs: 30_000, historyEventsPerRun: 4_000 },
  ) {
    super();
  }

  /** What was recorded before a request left. */
  readonly sent = new FakeAttempts();

  /** Calls other than tries of the key. */
  get commands(): Call[] {
    return this.calls.filter(({ reservationId }) => reservationId !== null);
  }
  get probes(): Call[] {
    return this.calls.filter(({ operation }) => operation.startsWith('list'));
  }

  roles(): RoleDeps {
    const { client, queue, alerts, gate, settings } = this;
    const moveStranded = (role: Role) => moveStrandedRole({ client, queue, settings }, role);
    return { client, queue, alerts, settings, gate, moveStranded };
  }

  override activities() {
    const { client, queue } = this;
    return createActivities({
      platform: this.asClient(),
      readPhoto: (...photo) => this.readPhoto(...photo),
      attempts: this.sent,
      record: async (input) => void this.records.push(input),
      postAttention: async (lines) => void this.posts.push(lines),
      audit: async () => {},
      recordHold: async () => {},
      holdBefore: async () => ({ holdId: null }),
      closeCase: async () => {},
      roles: this.roles(),
      bookings: { ...noBookings, client, queue },
    });
  }

  /** Ends the workflow of a role that a test leaves suspended. */
  async endRole(role: Role): Promise<void> {
    await this.client.workflow
      .getHandle(roleWorkflowId(role))
      .terminate('the test is over')
      .catch((error) => {
        if (!(error instanceof WorkflowNotFoundError)) throw error;
      });
  }

  /** Resolves when the workflow of a role has ended by itself. */
  async roleEnds(role: Role): Promise<void> {
    await this.client.workflow.getHandle(roleWorkflowId(role)).result();
  }

  asClient(): PlatformClient {
    return new Proxy({} as PlatformClient, {
      get: (_, operation) => async (first: unknown) => {
        const call = {
          operation: String(operation),
          reservationId: typeof first === 'number' ? first : null,
        };
        this.calls.push(call);
        const code = this.refusal(call);
        if (code !== undefined) {
          throw new PlatformCallError(code, `refused: ${code}`, { operation: call.operation });
        }
        return call.operation.startsWith('list') ? [] : {};
      },
    });
  }
}

/** The alerts of a test without a database. */
class AlertsInMemory implements Alerts {
  readonly all: Alert[] = [];

  async raise({ at, message, ...alert }: Parameters<Alerts['raise']>[0]): Promise<boolean> {
    if (this.openOf(alert) !== undefined) return false;
    const text = { id: this.all.length + 1, message: inEnglish(message) };
    this.all.push({ ...alert, ...text, since: at, clearedAt: null });
    return true;
  }
  async clear({ at, ...subject }: Parameters<Alerts['clear']>[0]): Promise<boolean> {
    const open = this.openOf(subject);
    if (open === undefined) return false;
    open.clearedAt = at;
    return true;
  }
  async reword({ message, ...subject }: Parameters<Alerts['reword']>[0]): Promise<void> {
    const open = this.openOf(subject);
    if (open !== undefined) open.message = inEnglish(message);
  }
  async list(): Promise<ListPage<Alert>> {
    return { items: this.open, nextCursor: null, asOf: Date.now() };
  }
  get open(): Alert[] {
    return this.all.filter(({ clearedAt }) => clearedAt === null);
  }
  private openOf({ kind, subject }: AlertSubject): Alert | undefined {
    return this.open.find((one) => one.kind === kind && one.subject === subject);
  }
}
