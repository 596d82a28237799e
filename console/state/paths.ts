/** Where each screen is; `*` is a number. The server answers these addresses, and no others, with the console's page. */
export const paths = {
  now: '/',
  reservation: '/r/*',
  field: '/go',
  cars: '/cars',
  callbacks: '/in',
  shift: '/shift',
} as const;

export type ScreenName = keyof typeof paths;

const patterns = Object.entries(paths).map(
  ([name, path]) => [name as ScreenName, new RegExp(`^${path.replace('*', '(\\d+)')}$`)] as const,
);

/** The screen at a path, and the number in it; null: another page of this server, such as the API's document. */
export function screenAt(path: string): { name: ScreenName; id: number } | null {
  for (const [name, pattern] of patterns) {
    const match = pattern.exec(path);
    if (match !== null) return { name, id: Number(match[1]) };
  }
  return null;
}
