/** Staff that this page has assigned, newest first: in memory alone, for it is personal. */
let recent: readonly { name: string; phone: string }[] = [];
const most = 20;

export const recentStaff = () => recent;

export function rememberStaff({ staffName, staffPhone }: Record<string, string>): void {
  if (!staffName || !staffPhone) return;
  const others = recent.filter(({ name }) => name !== staffName);
  recent = [{ name: staffName, phone: staffPhone }, ...others].slice(0, most);
}
