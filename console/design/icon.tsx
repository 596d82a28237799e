/** Paths on a grid of 24, drawn as strokes. */
const paths = {
  now: 'M12 7v5l3 2M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0',
  car: 'M4 16v-3l2-5.2A2 2 0 0 1 7.9 6.5h8.2A2 2 0 0 1 18 7.8l2 5.2v3M4 13h16M4 16h16M6 16v2.5M18 16v2.5',
  out: 'M5 12h13M13 6.5l5.5 5.5-5.5 5.5',
  back: 'M19 12H6M11 6.5 5.5 12l5.5 5.5',
  booked: 'M6 4.5h12v16l-6-3.5-6 3.5z',
  flag: 'M6 21V4.5M6 5h11l-2.5 3.5L17 12H6',
  drive:
    'M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0M14.5 12a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0M12 14.5V21M9.6 11.4 3.4 9.5M14.4 11.4l6.2-1.9',
  late: 'M12 8v4.5l-2.5 2M5 4 2.5 6.5M19 4l2.5 2.5M20 13a8 8 0 1 1-16 0 8 8 0 0 1 16 0',
  done: 'M5 12.5 10 17.5 19.5 7',
  cancelled: 'M6.5 6.5l11 11M17.5 6.5l-11 11',
  absent: 'M15 8a3 3 0 1 1-6 0 3 3 0 0 1 6 0M5.5 20a6.5 6.5 0 0 1 9-6M16 16l5 5M21 16l-5 5',
  unknown: 'M9 9a3 3 0 1 1 4.2 2.8c-.8.4-1.2 1-1.2 1.9V14M12 17.5v.2M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0',
  attention: 'M12 4 2.8 20h18.4zM12 10v4.5M12 17v.2',
  alert: 'M12 8v5M12 16v.2M8 3h8l5 5v8l-5 5H8l-5-5V8z',
  wait: 'M7 4h10M7 20h10M8 4c0 5 8 5 8 16M16 4c0 5-8 5-8 16',
  staff: 'M16 8a4 4 0 1 1-8 0 4 4 0 0 1 8 0M4.5 20.5a7.5 7.5 0 0 1 15 0',
  photo: 'M4 8h3.5L9 5.5h6L16.5 8H20v11H4zM15.5 13a3.5 3.5 0 1 1-7 0 3.5 3.5 0 0 1 7 0',
  parking: 'M5 4h14v16H5zM10 16.5V8h3a2.5 2.5 0 0 1 0 5h-3',
  observed:
    'M2.5 12S6 6 12 6s9.5 6 9.5 6-3.5 6-9.5 6-9.5-6-9.5-6M14.5 12a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0',
  asserted: 'M4 20l1-4.5L16 4.5a2 2 0 0 1 3 0l.5.5a2 2 0 0 1 0 3L8.5 19z',
  commanded: 'M3.5 11.5 20.5 4l-7 16.5-2.5-7z',
  corroborated:
    'M9.5 14.5l5-5M8 12l-2.5 2.5a3.5 3.5 0 0 0 4.900 4.900L13 17M16 12l2.5-2.5a3.5 3.5 0 0 0-4.900-4.900L11 7',
  inferred: 'M5 19V9M12 19V5M19 19v-6M3 19h18',
  search: 'M17 11a6 6 0 1 1-12 0 6 6 0 0 1 12 0M15.5 15.5 20 20',
  refresh: 'M19.5 12a7.5 7.5 0 1 1-2.200-5.300L20 9.5M20 4.5v5h-5',
  close: 'M6.5 6.5l11 11M17.5 6.5l-11 11',
  down: 'M6 9.5l6 6 6-6',
  next: 'M9 5.5l6.5 6.5L9 18.5',
  print: 'M7 9V4h10v5M7 16H4V9h16v7h-3M7 13.5h10V20H7z',
  inbox: 'M4 13l2.5-8h11L20 13v6H4zM4 13h4.5l1.5 2.5h4l1.5-2.5H20',
  shift: 'M8 4.5h8M9 3h6v3H9zM6 5h12v16H6zM9 11h6M9 15h4',
  field:
    'M12 21s7-6.200 7-11.5a7 7 0 0 0-14 0C5 14.800 12 21 12 21M14.5 9.5a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0',
  user: 'M16 8a4 4 0 1 1-8 0 4 4 0 0 1 8 0M4.5 20.5a7.5 7.5 0 0 1 15 0',
  link: 'M13.5 5H19v5.5M19 5l-8 8M10 6H5v13h13v-5',
  lock: 'M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3',
  live: 'M12 12v.2M8.5 8.5a5 5 0 0 0 0 7M15.5 8.5a5 5 0 0 1 0 7M5.5 5.5a9.200 9.200 0 0 0 0 13M18.5 5.5a9.200 9.200 0 0 1 0 13',
  offline:
    'M4 4l16 16M5 12.5a10 10 0 0 1 4-2.5M19 12.5a10 10 0 0 0-5-2.900M8.5 16a5 5 0 0 1 6.5-.5M12 19.5v.2',
  key: 'M14 10a4.5 4.5 0 1 1-2.5 4L20 5.5M17 8.5l2.5 2.5',
} as const;

export type IconName = keyof typeof paths;

/** A drawing beside its text, which says what it shows. */
export function Icon({ name, class: extra }: { name: IconName; class?: string }) {
  return (
    <svg class={extra === undefined ? 'icon' : `icon ${extra}`} viewBox="0 0 24 24" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}
