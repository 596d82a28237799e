import type { ReservationView } from '../../../domain/reservation/index.js';
import { actionOf } from '../../player/actions.js';
import { mustSucceed } from '../../player/http.js';
import type { See } from '../format/see.js';
import { type Moment, showMoment } from '../format/times.js';
import { carOf } from './perform.js';
import { instantIn, type Scene } from './scene.js';

/** One expected fact, and the fact as it is. */
export interface Sight {
  what: string;
  expected: string;
  seen: string;
  holds: boolean;
}

/** What the checks of one step compare with, read once per step. */
export interface Shown {
  view: ReservationView | null;
  timeline: { at: string; kind: string; rule: string; text: string; data: Record<string, unknown> }[];
}

export async function readShown({ manager, reservationId }: Scene): Promise<Shown> {
  const path = `/api/reservations/${reservationId}`;
  const view = await manager('GET', path);
  const timeline = await manager('GET', `${path}/timeline?limit=500`);
  return {
    view: view.status === 200 ? view.body : null,
    timeline: timeline.status === 200 ? timeline.body.items : [],
  };
}

/** Times of a story agree to this: what runs between two skips takes real time. */
const toleranceMs = 30_000;
const toleranceRealMs = 1_500;

/** Compares the expected facts of a step with those of the product, the platform and the alerts. */
export async function checkSights(scene: Scene, see: See): Promise<Sight[]> {
  const shown = await readShown(scene);
  const checker = new SightChecker(scene, shown);
  for (const [what, expected] of Object.entries(see)) {
    if (expected !== undefined) await checker.check(what as keyof See, see);
  }
  return checker.sights;
}

type Text = string | number | boolean | null | undefined;
const text = (value: Text) => (value === null || value === undefined ? 'none' : String(value));

class SightChecker {
  readonly sights: Sight[] = [];

  constructor(
    private readonly scene: Scene,
    private readonly shown: Shown,
  ) {}

  async check(what: keyof See, see: See): Promise<void> {
    const { view, timeline } = this.shown;
    switch (what) {
      case 'known':
        return this.compare(what, see.known, view !== null);
      case 'status':
        return this.compare(what, see.status === 'unknown' ? null : see.status, view?.status.code);
      case 'grade':
        return this.compare(what, see.grade, view?.status.grade);
      case 'expected':
        return this.compare(what, see.expected, view?.expected?.code);
      case 'expectedBy':
        return this.compareMoment(what, see.expectedBy, view?.expected?.by);
      case 'display':
        return this.compare(what, see.display, view?.display);
      case 'attention':
        return this.compareAttention(see.attention);
      case 'raised':
        for (const [kind, times] of Object.entries(see.raised ?? {}))
          this.compare(`raised ${kind}`, times, this.countRaised(kind));
        return;
      case 'commands':
        return this.compareCommands(see.commands);
      case 'marks':
        return this.compare(what, sorted(see.marks), sorted(view?.marks));
      case 'start':
        return this.compareMoment(what, see.start, view?.period?.start);
      case 'end':
        return this.compareMoment(what, see.end, view?.period?.end);
      case 'car':
        return this.compare(what, see.car && carOf(this.scene, see.car), view?.car?.id);
      case 'companion':
        return this.compare(what, see.companion, view?.companion ? 'registered' : 'none');
      case 'staff':
        for (const [part, expected] of Object.entries(see.staff ?? {}))
          this.compare(`staff ${part}`, expected, view?.[part as 'dispatch'].staff ? 'assigned' : 'none');
        return;
      case 'photos':
        for (const [photo, expected] of Object.entries(see.photos ?? {})) this.comparePhoto(photo, expected);
        return;
      case 'danger':
        return this.compareMoment(what, see.danger, view?.danger?.entry.startAt);
      case 'proposals':
        return this.compare(what, sorted(see.proposals), sorted(view?.proposals.map(({ reason }) => reason)));
      case 'note':
        return this.compare(what, see.note, view?.recall.note?.outcome);
      case 'memos':
        return this.compare('memos of the car', see.memos, await this.countMemos());
      case 'verdicts':
        return this.compareVerdicts(see.verdicts ?? {});
      case 'timeline':
        for (const rule of see.timeline ?? []) {
          const isRecorded = timeline.some((line) => line.rule === rule);
          this.add({
            what: 'timeline',
            expected: rule,
            seen: isRecorded ? rule : 'no entry of it',
            holds: isRecorded,
          });
        }
        return;
      case 'requests':
        for (const [operation, times] of Object.entries(see.requests ?? {}))
          this.compare(`requests ${operation}`, times, await this.countInJournal(operation, {}));
        return;
      case 'applied':
        for (const [operation, times] of Object.entries(see.applied ?? {}))
          this.compare(
            `applied ${operation}`,
            times,
            await this.countInJournal(operation, { effect: 'applied' }),
          );
        return;
      case 'platform':
        return this.compare('on the platform', see.platform, await this.readPlatformStatus());
      case 'alerts':
        await this.scene.driver.untilPosted();
        return this.compare(what, see.alerts?.join(', ') || null, this.alertTexts());
      case 'closed':
        return this.compare(what, see.closed, view?.closed ?? false);
    }
  }

  private add(sight: Sight): void {
    this.sights.push(sight);
  }

  private compare(what: string, expected: Text, seen: Text): void {
    this.add({ what, expected: text(expected), seen: text(seen), holds: text(expected) === text(seen) });
  }

  private compareMoment(
    what: string,
    expected: Moment | 'none' | undefined,
    stamp: string | null | undefined,
  ): void {
    const seen = stamp === null || stamp === undefined ? null : Date.parse(stamp);
    if (expected === undefined || expected === 'none') {
      this.compare(what, null, this.showOrNull(seen));
      return;
    }
    const at = instantIn(this.scene, expected);
    const tolerated = this.scene.stage.engine.skips ? toleranceMs : toleranceRealMs;
    const holds = seen !== null && Math.abs(seen - at) <= tolerated;
    this.add({ what, expected: this.showOrNull(at) ?? 'none', seen: this.showOrNull(seen) ?? 'none', holds });
  }

  private showOrNull(at: number | null): string | null {
    return at === null ? null : showMoment(at, this.scene.anchors);
  }

  private compareAttention(expected: See['attention']): void {
    const items = this.shown.view?.attention ?? [];
    const kinds = Array.isArray(expected) ? expected : Object.keys(expected ?? {});
    this.compare('attention', sorted(kinds), sorted(items.map(({ kind }) => kind)));
    if (expected === undefined || Array.isArray(expected)) return;
    for (const [kind, since] of Object.entries(expected)) {
      const item = items.find((one) => one.kind === kind);
      if (item !== undefined) this.compareMoment(`${kind} since`, since, item.since);
    }
  }

  /** Counts the timeline entries that raise the item, also again: their data has `since` and `again`. */
  private countRaised(kind: string): number {
    return this.shown.timeline.filter(({ data }) => data.kind === kind && 'since' in data && 'again' in data)
      .length;
  }

  /** Alerts to operations so far, in the order in which they happened: `return-late raised`. */
  private alertTexts(): string | null {
    const { stage, from } = this.scene;
    const posts = stage.alerts.posted.slice(from).sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
    return posts.map(({ kind, type }) => `${kind} ${type.replace(/^.*\./, '')}`).join(', ') || null;
  }

  private compareCommands(expected: See['commands']): void {
    for (const [word, wanted] of Object.entries(expected ?? {})) {
      const action = actionOf(word);
      const command = this.shown.view?.commands.findLast((one) => one.action === action);
      const parts = Object.entries(wanted as Record<string, Text>).map(
        ([part, value]): [string, Text, Text] => [part, value, command?.[part as 'outcome']],
      );
      for (const [part, value, seen] of parts)
        if (value !== undefined) this.compare(part === 'outcome' ? word : `${word} ${part}`, value, seen);
    }
  }

  private comparePhoto(word: string, expected: string): void {
    const [part, name] = word.split('/') as ['dispatch', 'carImage'];
    const photo = this.shown.view?.[part][name];
    const seen = !photo ? 'none' : photo.outdated ? 'outdated' : 'current';
    this.compare(`photo ${word}`, expected, seen);
  }

  private async compareVerdicts(expected: Record<string, number>): Promise<void> {
    const { manager, reservationId } = this.scene;
    const { items } = (
      await mustSucceed(manager)('GET', `/api/inbox?reservationId=${reservationId}&limit=500`)
    ).body;
    for (const [verdict, times] of Object.entries(expected)) {
      const found = items.filter((one: { verdict: string | null }) => one.verdict === verdict);
      this.compare(`verdict ${verdict}`, times, found.length);
    }
  }

  private async countInJournal(operation: string, more: object): Promise<number> {
    const { controls, reservationId } = this.scene;
    const about = operation === 'book' ? {} : { reservationId };
    const body = { kind: 'request', operation, ...about, ...more, atLeast: 0 };
    return (await mustSucceed(controls)('POST', '/sandbox/journal/assert', { body })).body.count;
  }

  /** Memos of the first car that name the reservation. */
  private async countMemos(): Promise<number> {
    const { supplier, reservationId } = this.scene;
    const { body } = await mustSucceed(supplier)('GET', `/car/${carOf(this.scene, 'first')}/memo`);
    const named = `[reservation ${reservationId}]`;
    return body.filter(({ content }: { content: string }) => content.startsWith(named)).length;
  }

  private async readPlatformStatus(): Promise<number | null> {
    const { controls, reservationId } = this.scene;
    const { status, body } = await controls('GET', `/sandbox/reservations/${reservationId}`);
    return status === 200 ? body.reservationStatus : null;
  }
}

function sorted(words: readonly string[] | undefined): string {
  return [...(words ?? [])].sort().join(', ') || 'none';
}
