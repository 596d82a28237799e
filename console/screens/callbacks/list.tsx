import { useState } from 'preact/hooks';
import { send } from '../../api/client.js';
import { endpoints } from '../../api/endpoints.js';
import type { Callback, Page } from '../../api/types.js';
import { Button } from '../../design/button.js';
import type { IconName } from '../../design/icon.js';
import { Empty, Load, LoadError } from '../../design/load.js';
import { Mark } from '../../design/mark.js';
import type { Tone } from '../../design/meanings.js';
import { Moment } from '../../design/time.js';
import type { Placed } from '../../state/in-place.js';
import { useResource } from '../../state/resource.js';
import { place } from '../../state/router.js';
import { useAttempt } from '../../state/use-attempt.js';
import { useInPlace } from '../../state/use-in-place.js';
import { t, textOf } from '../../texts/index.js';
import { addressWith } from './query.js';
import { inPlace, listed, withOlder } from './rows.js';

const pageSize = 60;
/** Under load callbacks arrive faster than a person reads. */
const everyMs = 1_500;
const load = async (query: Record<string, string>, cursor?: string) =>
  (await send(endpoints.callbacks, { query: { ...query, limit: pageSize, cursor } })).body;

/** Callbacks that match, newest first. */
export function CallbackList({ query, open }: { query: Record<string, string>; open: number | null }) {
  const resource = useResource(`inbox ${JSON.stringify(query)}`, {
    everyMs,
    load: () => load(query),
    concerns: ({ event }) => event === 'callback',
  });
  return (
    <section class="panel callback-list" aria-label={t('in.view:callbacks')}>
      <Load of={resource}>{(first) => <Rows first={first} query={query} open={open} />}</Load>
    </section>
  );
}

interface RowsProps {
  first: Page<Callback>;
  query: Record<string, string>;
  open: number | null;
}

function Rows({ first, query, open }: RowsProps) {
  const { list, renew, older } = useListed(first, query);
  if (list.rows.length === 0)
    return <Empty>{t(Object.keys(query).length === 0 ? 'search.none' : 'search.empty')}</Empty>;
  return (
    <>
      {/* always there, so that no row moves when callbacks arrive */}
      <header>
        <h2>{t('in.view:callbacks')}</h2>
        <span class="grow" />
        {list.newer > 0 && (
          <Button kind="step" icon="refresh" shortcut="s" onClick={renew}>
            {t('in.newer', { n: list.newer === pageSize ? `${pageSize}+` : list.newer })}
          </Button>
        )}
      </header>
      <ul>
        {list.rows.map((one) => (
          <Row key={one.row.id} listed={one} isOpen={one.row.id === open} />
        ))}
      </ul>
      {older.error !== null && <LoadError error={older.error} retry={older.load} />}
      {older.hasMore && older.error === null && (
        <p class="more">
          <Button icon="down" shortcut="m" isBusy={older.isLoading} onClick={older.load}>
            {t('in.more')}
          </Button>
        </p>
      )}
    </>
  );
}

/** The rows of the first page stay in place while it is read again; older pages are added on request. */
function useListed(first: Page<Callback>, query: Record<string, string>) {
  const {
    rows: list,
    sort,
    change,
  } = useInPlace(first, {
    sorted: ({ items }) => listed(items),
    inPlace: (shown, { items }) => inPlace(shown, items),
    // the older pages would go
    isManual: true,
  });
  const [cursor, setCursor] = useState(first.nextCursor);
  const { isBusy, error, run } = useAttempt(async () => {
    if (cursor === null) return;
    const { items, nextCursor } = await load(query, cursor);
    change((shown) => withOlder(shown, items));
    setCursor(nextCursor);
  });
  const renew = () => {
    sort();
    setCursor(first.nextCursor);
  };
  const older = { hasMore: cursor !== null, isLoading: isBusy, error, load: run };
  return { list, renew, older };
}

function Row({ listed: { row, is }, isOpen }: { listed: Placed<Callback>; isOpen: boolean }) {
  const { id, channel, reservationId, receivedAt, copies, lastError, replays } = row;
  return (
    <li class={`callback-row ${is}`}>
      <a
        class="row-link"
        href={addressWith(place.value.query, id)}
        aria-current={isOpen ? 'true' : undefined}
      >
        <span class="row">
          <span class="numeric soft small id">#{id}</span>
          <strong>{textOf('channel', channel)}</strong>
          <span class="numeric">{reservationId === null ? '' : `→ ${reservationId}`}</span>
          <span class="grow" />
          <span class="small soft">
            <Moment at={receivedAt} withSeconds />
          </span>
        </span>
        <span class="row wrap">
          <VerdictMark of={row} />
          {copies > 1 && <span class="small soft">{t('in.copies', { n: copies })}</span>}
          {replays > 0 && (
            <Mark icon="refresh" tone="plain">
              {replays}×
            </Mark>
          )}
          {lastError !== null && <span class="small mono">{lastError}</span>}
          {is === 'left' && (
            <Mark icon="done" tone="plain">
              {t('in.left')}
            </Mark>
          )}
        </span>
      </a>
    </li>
  );
}

const marks: Record<string, { icon: IconName; tone: Tone }> = {
  applied: { icon: 'done', tone: 'good' },
  duplicate: { icon: 'link', tone: 'quiet' },
  stale: { icon: 'wait', tone: 'quiet' },
  'after-terminal': { icon: 'flag', tone: 'quiet' },
  conflict: { icon: 'attention', tone: 'bad' },
  'unknown-status': { icon: 'unknown', tone: 'warn' },
  invalid: { icon: 'alert', tone: 'bad' },
  dead: { icon: 'cancelled', tone: 'bad' },
  none: { icon: 'wait', tone: 'warn' },
};

/** The verdict; before there is one, where the callback is. */
export function VerdictMark({
  of: { state, verdict, rule },
}: {
  of: { state: string; verdict: string | null; rule: string | null };
}) {
  const code = state === 'dead' ? 'dead' : (verdict ?? 'none');
  const { icon, tone } = marks[code] ?? { icon: 'unknown' as const, tone: 'warn' as const };
  return (
    <>
      <Mark icon={icon} tone={tone}>
        {state === 'dead' || verdict === null ? textOf('inbox', state) : textOf('verdict', verdict)}
      </Mark>
      {rule !== null && state !== 'dead' && <span class="small mono soft">{rule}</span>}
    </>
  );
}
