/** A number from the command line. @throws Error with the usage where it is not a number, or below `least` */
export function counter(usage: string) {
  return (name: string, text: string, least: number): number => {
    const number = Number(text);
    if (Number.isSafeInteger(number) && number >= least) return number;
    throw new Error(`--${name} is a whole number from ${least} on, not ${text}\n${usage}`);
  };
}
