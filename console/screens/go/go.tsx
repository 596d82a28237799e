import './go.css';
import { useEffect, useState } from 'preact/hooks';
import { send } from '../../api/client.js';
import { endpoints } from '../../api/endpoints.js';
import { Empty, LoadError, Loading } from '../../design/load.js';
import { Notice } from '../../design/notice.js';
import { formatMoment, formatRelative } from '../../design/time.js';
import { entries, round } from '../../offline/queue.js';
import { storeShell } from '../../offline/shell.js';
import { useResource } from '../../state/resource.js';
import { place, setQuery } from '../../state/router.js';
import { may, me } from '../../state/session.js';
import { t } from '../../texts/index.js';
import { isOf, type Job } from './job.js';
import { JobCard } from './job-card.js';
import { followApplied, jobs, jobsAsOf, others, readStoredJobs, syncJobs } from './jobs.js';
import { QueuePanel } from './queue-panel.js';

/** For a phone at the car park: the jobs by their time, and what of them waits for a connection. */
export function FieldScreen() {
  const board = useResource('field', {
    load: async () => (await send(endpoints.board)).body,
    concerns: ({ id }) =>
      (jobs.value ?? []).some(({ reservationId }) => String(reservationId) === String(id)),
    // new jobs are found so often; changes of those on the screen arrive at once
    visibleEveryMs: 30_000,
  });
  const state = board.state.value;
  const isBehind = state.is === 'error' || (state.is === 'ready' && state.staleSince !== null);
  useEffect(() => {
    followApplied();
    void readStoredJobs();
    void storeShell();
  }, []);
  const data = state.is === 'ready' ? state.data : null;
  const [isSynced, setSynced] = useState(false);
  useEffect(() => {
    // without an answer the stored jobs stay as they are
    if (data !== null)
      void readStoredJobs().then(() =>
        syncJobs(data)
          .catch(() => {})
          .then(() => setSynced(true)),
      );
  }, [data]);
  const isRead = isSynced || isBehind;
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
      {jobs.value === null || (jobs.value.length === 0 && !isRead) ? (
        <Loading />
      ) : state.is === 'error' && jobs.value.length === 0 ? (
        <LoadError error={state.error} retry={() => void board.refresh()} />
      ) : (
        <Jobs all={jobs.value} />
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

function Jobs({ all }: { all: readonly Job[] }) {
  const { query } = place.value;
  const user = me()?.name ?? '';
  const mine = all.filter((job) => isOf(user, job));
  // who has no job of their own wants to see what there is
  const of = query.get('of') ?? (mine.length > 0 ? 'mine' : 'all');
  const shown = of === 'mine' ? mine : all;
  const chosen = query.get('job');
  const open = chosen === null ? shown[0]?.reservationId : Number(chosen);
  return (
    <>
      <nav class="row wrap filters" aria-label={t('go.whose')}>
        {(['mine', 'all'] as const).map((one) => (
          <a key={one} class="button" href={`/go?of=${one}`} aria-current={of === one ? 'true' : undefined}>
            {t(`go:${one}`)} <span class="count">{one === 'mine' ? mine.length : all.length}</span>
          </a>
        ))}
      </nav>
      {shown.length === 0 && <Empty>{t(of === 'mine' ? 'go.noneMine' : 'go.none', { name: user })}</Empty>}
      {shown.map((job) => (
        <JobCard
          key={job.reservationId}
          job={job}
          entries={entries.value}
          isOpen={job.reservationId === open}
          toggle={() => setQuery({ job: job.reservationId === open ? '0' : String(job.reservationId) })}
        />
      ))}
      {others.value > 0 && <p class="soft small">{t('go.more', { n: others.value })}</p>}
    </>
  );
}
