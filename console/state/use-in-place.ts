import { useEffect, useRef, useState } from 'preact/hooks';

/** Without input for so long, no click is about to come: rows are sorted by themselves. */
const idleMs = 60_000;

interface Placing<Data, Rows> {
  /** As the service sorts them. */
  sorted(data: Data): Rows;
  /** The newest content in the places on the screen: no row moves below the user's pointer. */
  inPlace(shown: Rows, data: Data): Rows;
  /** Only the user sorts them. */
  isManual?: boolean;
}

interface Placed<Rows> {
  rows: Rows;
  sort(): void;
  change(by: (rows: Rows) => Rows): void;
}

/** Rows stay in place until the user sorts them, prints, returns to the page, or has not touched it for a minute. */
export function useInPlace<Data, Rows>(
  data: Data,
  { sorted, inPlace, isManual = false }: Placing<Data, Rows>,
): Placed<Rows> {
  const [shown, setShown] = useState(() => ({ data, rows: sorted(data) }));
  const newest = useRef(data);
  newest.current = data;
  const sort = () => setShown({ data: newest.current, rows: sorted(newest.current) });
  // derived while rendering: a row's new content is never a render late
  const current = shown.data === data ? shown : { data, rows: inPlace(shown.rows, data) };
  useEffect(() => {
    if (shown.data !== data) setShown(current);
  });
  useEffect(() => {
    if (isManual) return;
    let touchedAt = Date.now();
    const touch = () => {
      touchedAt = Date.now();
    };
    const inputs = ['pointermove', 'pointerdown', 'keydown', 'wheel', 'touchstart'] as const;
    for (const input of inputs) addEventListener(input, touch, { passive: true });
    const onReturn = () => document.visibilityState === 'visible' && sort();
    document.addEventListener('visibilitychange', onReturn);
    addEventListener('beforeprint', sort);
    const idle = setInterval(() => {
      if (Date.now() - touchedAt > idleMs) sort();
    }, 5_000);
    return () => {
      for (const input of inputs) removeEventListener(input, touch);
      document.removeEventListener('visibilitychange', onReturn);
      removeEventListener('beforeprint', sort);
      clearInterval(idle);
    };
  }, []);
  const change = (by: (rows: Rows) => Rows) => setShown((last) => ({ ...last, rows: by(last.rows) }));
  return { rows: current.rows, sort, change };
}
