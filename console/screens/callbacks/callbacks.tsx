import './callbacks.css';
import type { Page } from '../../api/types.js';
import { rowShortcuts } from '../../shortcuts/row-focus.js';
import { type Shortcut, useShortcuts } from '../../shortcuts/shortcuts.js';
import type { Loaded } from '../../state/resource.js';
import { place } from '../../state/router.js';
import { t } from '../../texts/index.js';
import { BookingsView } from './bookings.js';
import { DeadLettersView } from './dead-letters.js';
import { FindingsView } from './findings.js';
import { InboxView } from './inbox.js';
import { IntakeStrip } from './intake.js';
import { useDeadCallbacks, useFindings, usePosts, useUnknownBookings } from './open-items.js';

const views = { callbacks: InboxView, findings: FindingsView, bookings: BookingsView, dead: DeadLettersView };
type View = keyof typeof views;

const none: Shortcut[] = [];
const row = '.panel .item';
const action = '.button, a';
const ofRows = rowShortcuts(row, action);

/** What arrived from the platform, what became of it, and what of it waits for a decision. */
export function CallbacksScreen() {
  const chosen = place.value.query.get('view') ?? 'callbacks';
  const view: View = chosen in views ? (chosen as View) : 'callbacks';
  const Shown = views[view];
  useShortcuts(view === 'callbacks' ? none : ofRows);
  return (
    <div class="stack">
      <h1 class="only-spoken">{t('nav.callbacks')}</h1>
      <IntakeStrip />
      <Tabs view={view} />
      <Shown />
    </div>
  );
}

function Tabs({ view }: { view: View }) {
  const counts: Partial<Record<View, string>> = {
    findings: countOf(useFindings()),
    bookings: countOf(useUnknownBookings()),
    dead: countOf(useDeadCallbacks(), usePosts()),
  };
  return (
    <nav class="tabs" aria-label={t('in.views')}>
      {(Object.keys(views) as View[]).map((name, at) => (
        <a
          key={name}
          aria-keyshortcuts={`${at + 1}`}
          href={name === 'callbacks' ? '/in' : `/in?view=${name}`}
          aria-current={name === view ? 'page' : undefined}
        >
          {t(`in.view:${name}`)}
          {counts[name] !== undefined && <span class="count">{counts[name]}</span>}
        </a>
      ))}
    </nav>
  );
}

interface Counted {
  state: { value: Loaded<Omit<Page<unknown>, 'asOf'>> };
}

/** How many items wait; `?` where this is not known. */
function countOf(...lists: readonly Counted[]): string {
  let count = 0;
  let isMore = false;
  for (const { state } of lists) {
    if (state.value.is !== 'ready') return state.value.is === 'loading' ? '…' : '?';
    count += state.value.data.items.length;
    isMore ||= state.value.data.nextCursor !== null;
  }
  return isMore ? `${count}+` : String(count);
}
