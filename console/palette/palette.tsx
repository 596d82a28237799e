import './palette.css';
import { signal } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import { receive } from '../api/client.js';
import { type Endpoint, endpoints, type Request } from '../api/endpoints.js';
import type { Car, ReservationList } from '../api/types.js';
import { Icon, type IconName } from '../design/icon.js';
import { Plate } from '../design/mark.js';
import { navigation } from '../shell/screens.js';
import { listShortcuts } from '../shortcuts/shortcuts.js';
import { navigate, withQuery } from '../state/router.js';
import { may } from '../state/session.js';
import { t, textOf } from '../texts/index.js';

export const isPaletteOpen = signal(false);

/** Something that the palette finds. */
interface Found {
  key: string;
  icon: IconName;
  text: string;
  detail: string;
  /** Of a reservation, once it has one. */
  car?: { number: string | null; carId: number };
  run(): void;
}

/** The last character is waited for, then the API is searched. */
const searchAfterMs = 150;
const mostFound = 12;

export function Palette() {
  if (!isPaletteOpen.value) return null;
  return <OpenPalette close={() => (isPaletteOpen.value = false)} />;
}

function OpenPalette({ close }: { close(): void }) {
  const ref = useRef<HTMLDialogElement>(null);
  const [query, setQuery] = useState('');
  const [at, setAt] = useState(0);
  const search = useFound(query.trim());
  const found = [...search.found, ...commands(query.trim())].slice(0, mostFound);
  const current = Math.min(at, found.length - 1);
  useEffect(() => {
    const opener = document.activeElement as HTMLElement | null;
    ref.current?.showModal();
    return () => opener?.focus?.();
  }, []);
  const run = (one: Found | undefined) => {
    if (one === undefined) return;
    ref.current?.close();
    close();
    one.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) setAt((current + step + found.length) % Math.max(found.length, 1));
    else if (event.key === 'Enter') run(found[current]);
    else return;
    event.preventDefault();
  };
  return (
    <dialog
      ref={ref}
      class="dialog palette"
      aria-label={t('shortcuts.palette')}
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
      onClose={close}
    >
      <div>
        <div class="palette-input">
          <Icon name="search" />
          <input
            type="text"
            role="combobox"
            aria-expanded="true"
            aria-controls="palette-found"
            aria-activedescendant={found.length > 0 ? `palette-${current}` : undefined}
            aria-label={t('shortcuts.palette')}
            placeholder={t(may('staff') ? 'palette.hintStaff' : 'palette.hint')}
            autocomplete="off"
            value={query}
            onInput={({ currentTarget }) => {
              setQuery(currentTarget.value);
              setAt(0);
            }}
            onKeyDown={onKeyDown}
          />
        </div>
        <div id="palette-found" role="listbox" aria-label={t('palette.found')}>
          {found.map((one, index) => (
            // biome-ignore lint/a11y/useFocusableInteractive: the input has the focus, and names the option
            // biome-ignore lint/a11y/useKeyWithClickEvents: the input has the keys
            <div
              key={one.key}
              id={`palette-${index}`}
              role="option"
              aria-selected={index === current}
              onClick={() => run(one)}
              onPointerMove={() => setAt(index)}
            >
              <Icon name={one.icon} />
              {one.car !== undefined && <Plate {...one.car} />}
              <span>{one.text}</span>
              <span class="grow" />
              <span class="soft small">{one.detail}</span>
            </div>
          ))}
        </div>
        <p class="soft small" role="status">
          {search.message ?? (found.length === 0 ? t('palette.none') : '')}
        </p>
      </div>
    </dialog>
  );
}

/** Screens, and what the current screen can do. */
function commands(query: string): Found[] {
  const pages = navigation.map(
    ({ href, text, icon, key }): Found => ({
      key: href,
      icon,
      text: t(text),
      detail: `g ${key}`,
      run: () => navigate(withQuery(href)),
    }),
  );
  const actions = listShortcuts()
    .filter(({ keys }) => !keys.startsWith('g ') && !keys.startsWith('Control'))
    .map(
      ({ keys, name, run }): Found => ({
        key: `shortcut ${keys}`,
        icon: 'next',
        text: name(),
        detail: keys,
        run,
      }),
    );
  const wanted = query.toLowerCase();
  return [...pages, ...actions].filter(({ text }) => text.toLowerCase().includes(wanted));
}

interface Search {
  found: Found[];
  message: string | null;
}

/** Reservations by id, plate, or its last four digits, and cars by a part of the plate; for staff also by the whole name of a person. */
function useFound(query: string): Search {
  const [result, setResult] = useState<Search>({ found: [], message: null });
  useEffect(() => {
    let isOver = false;
    const isId = /\d/.test(query);
    const isName = may('staff') && /\p{L}.*\p{L}/u.test(query);
    // most texts are no name: only of an id or a plate is it a message that none is found
    setResult({ found: [], message: isId ? t('loading') : null });
    if (!isId && !isName) return;
    const timer = setTimeout(async () => {
      const next = await searched(query, { isId, isName });
      // an answer to an earlier text is none to this one
      if (!isOver) setResult(next);
    }, searchAfterMs);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [query]);
  return result;
}

const most = 8;

async function searched(query: string, by: { isId: boolean; isName: boolean }): Promise<Search> {
  const answers = await Promise.all([
    by.isId && find(endpoints.reservations, { query: { q: query, limit: most } }, toFound),
    by.isName && find(endpoints.searchReservations, { body: { person: query, limit: most } }, toFound),
    by.isId && find(endpoints.cars, { query: { carNumber: query, limit: most } }, toCar),
  ]);
  const found = answers.flatMap((one) => one || []);
  const exact = /^\d+$/.test(query) ? [openId(Number(query))] : [];
  const all = [...found, ...exact];
  return {
    found: all.filter(({ key }, at) => all.findIndex((one) => one.key === key) === at),
    message: answers.includes(null)
      ? t('palette.failed')
      : by.isId && found.length === 0
        ? t('palette.noReservation')
        : null,
  };
}

/** Null: it could not be searched. Cars come from the platform, reservations do not: one may fail without the other. */
async function find<Row>(
  endpoint: Endpoint<{ items: Row[] }>,
  request: Request,
  show: (row: Row) => Found,
): Promise<Found[] | null> {
  const { status, body } = await receive(endpoint, request);
  return status === 200 ? (body as { items: Row[] }).items.map(show) : null;
}

function toCar({ carId, carNumber, detailModelName }: Car): Found {
  return {
    key: `car ${carId}`,
    icon: 'car',
    text: detailModelName ?? '',
    detail: t('nav.cars'),
    car: { number: carNumber, carId },
    run: () => navigate(`/cars?car=${carId}`),
  };
}

function toFound({ reservationId, status, carId, carNumber }: ReservationList['items'][number]): Found {
  return {
    key: `reservation ${reservationId}`,
    icon: 'car',
    text: `#${reservationId} · ${status.code === null ? t('status:unknown') : textOf('status', status.code)}`,
    detail: carId === null ? t('car.none') : '',
    ...(carId !== null && { car: { number: carNumber, carId } }),
    run: () => navigate(`/r/${reservationId}`),
  };
}

/** A closed reservation is in no list, and has a screen. */
function openId(id: number): Found {
  return {
    key: `reservation ${id}`,
    icon: 'link',
    text: t('palette.open', { id }),
    detail: '',
    run: () => navigate(`/r/${id}`),
  };
}
