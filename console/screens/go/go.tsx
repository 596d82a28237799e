import './go.css';
import { useEffect, useState } from 'preact/hooks';
import { Button } from '../../design/button.js';
import { Empty, LoadError, Loading } from '../../design/load.js';
import { Notice } from '../../design/notice.js';
import { SortRows } from '../../design/rows-in-place.js';
import { formatMoment, formatRelative } from '../../design/time.js';
import { entries, round } from '../../offline/queue.js';
import { storeShell } from '../../offline/shell.js';
import { rowShortcuts } from '../../shortcuts/row-focus.js';
import { useShortcuts } from '../../shortcuts/shortcuts.js';
import { inPlace, listed } from '../../state/in-place.js';
import { useResource } from '../../state/resource.js';
import { place, setQuery } from '../../state/router.js';
import { may, me } from '../../state/session.js';
import { useInPlace } from '../../state/use-in-place.js';
import { t } from '../../texts/index.js';
import type { Job } from './job.js';
import { JobCard } from './job-card.js';
import { followApplied, jobs, jobsAsOf, readStoredJobs, syncJobs } from './jobs.js';
import { QueuePanel } from './queue-panel.js';

const job = '.job';
const head = 'h2 button';
const shortcuts = rowShortcuts(job, head);

/** For a phone at the car park: the jobs by their time, and what of them waits for a connection. */
export function FieldScreen() {
  useShortcuts(shortcuts);
  const sync = useResource('field', {
    load: syncJobs,
    concerns: ({ id }) =>
      (jobs.value ?? []).some(({ reservationId }) => String(reservationId) === String(id)),
    // new jobs are found so often; changes of those on the screen arrive at once
    visibleEveryMs: 30_000,
  });
  const state = sync.state.value;
  const isBehind = state.is === 'error' || (state.is === 'ready' && state.stale !== null);
  useEffect(() => {
    followApplied();
    void readStoredJobs();
    void storeShell();
  }, []);
  const { failed, others } = state.is === 'ready' ? state.data : { failed: 0, others: null };
  const retry = () => void sync.refresh();
  return (
    <div class="field-screen stack">
      <h1 class="only-spoken">{t('nav.field')}</h1>
      {!may('staff') && (
        <Notice tone="warn" icon="lock">
          {t('go.viewer')}
        </Notice>
      )}
      {(isBehind || round.value === 'offline') && <Offline />}
      <QueuePanel />
      {failed > 0 && (
        <Notice tone="warn" icon="alert" isUrgent>
          {t('go.unread', { n: failed })}{' '}
          <Button icon="refresh" onClick={retry}>
            {t('retry')}
          </Button>
        </Notice>
      )}
      {jobs.value === null || (jobs.value.length === 0 && state.is === 'loading') ? (
        <Loading />
      ) : state.is === 'error' && jobs.value.length === 0 ? (
        <LoadError error={state.error} retry={retry} />
      ) : (
        <Jobs all={jobs.value} others={others} isWhole={state.is === 'ready' && failed === 0} />
      )}
    </div>
  );
}

function Offline() {
  const asOf = jobsAsOf.value;
  return (
    <Notice tone="warn" icon="offline" isUrgent>
      {t('go.offline')}{' '}
      {asOf !== null && t('go.asOf', { time: formatMoment(asOf), ago: formatRelative(asOf) })}
    </Notice>
  );
}

type Whose = 'mine' | 'all';

interface JobsProps {
  all: readonly Job[];
  /** Null: not known. */
  others: Record<Whose, number> | null;
  /** All of the chosen reservations were read. */
  isWhole: boolean;
}

function Jobs({ all, others, isWhole }: JobsProps) {
  const { query } = place.value;
  // who has no job of their own wants to see what there is
  const [usual] = useState<Whose>(() => (all.some(({ isMine }) => isMine) ? 'mine' : 'all'));
  const of = query.has('of') ? (query.get('of') === 'mine' ? 'mine' : 'all') : usual;
  return (
    <>
      <nav class="row wrap filters" aria-label={t('go.whose')}>
        {(['mine', 'all'] as const).map((one) => (
          <a key={one} class="button" href={`/go?of=${one}`} aria-current={of === one ? 'true' : undefined}>
            {t(`go:${one}`)} <span class="count">{ofWhom(one, all).length}</span>
          </a>
        ))}
      </nav>
      <JobList key={of} all={all} of={of} isWhole={isWhole} />
      {others !== null && others[of] > 0 && <p class="soft small">{t('go.more', { n: others[of] })}</p>}
    </>
  );
}

function JobList({ all, of, isWhole }: { all: readonly Job[]; of: Whose; isWhole: boolean }) {
  const { rows, sort } = useInPlace(all, {
    sorted: (jobs) => listed(ofWhom(of, jobs)),
    inPlace: (shown, jobs) =>
      inPlace(shown, { items: ofWhom(of, jobs), idOf: (job) => job.reservationId, most: Infinity }),
  });
  const newest = ofWhom(of, all);
  const moved = rows.filter(({ row }, index) => row !== newest[index]).length;
  const chosen = place.value.query.get('job');
  const open = chosen === null ? rows[0]?.row.reservationId : Number(chosen);
  return (
    <>
      {rows.length === 0 && isWhole && (
        <Empty>{t(of === 'mine' ? 'go.noneMine' : 'go.none', { name: me()?.name ?? '' })}</Empty>
      )}
      {rows.map(({ row: job, is }) => (
        <JobCard
          key={job.reservationId}
          job={job}
          entries={entries.value}
          hasLeft={is === 'left'}
          isOpen={job.reservationId === open}
          toggle={() => setQuery({ job: job.reservationId === open ? '0' : String(job.reservationId) })}
        />
      ))}
      {moved > 0 && <SortRows n={moved} sort={sort} />}
    </>
  );
}

function ofWhom(whose: Whose, jobs: readonly Job[]): readonly Job[] {
  return whose === 'all' ? jobs : jobs.filter(({ isMine }) => isMine);
}
