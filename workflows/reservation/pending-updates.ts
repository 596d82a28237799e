/** Updates that wait until their command is settled. */
export class Askers {
  private waiting: { commandId: string; tell: () => void }[] = [];

  /** Not a `condition`: the sandbox would be entered once more for each look at it. */
  answer(commandId: string): Promise<void> {
    return new Promise((tell) => this.waiting.push({ commandId, tell }));
  }

  tell(isAnswered: (commandId: string) => boolean): void {
    const answered = this.waiting.filter(({ commandId }) => isAnswered(commandId));
    if (answered.length === 0) return;
    this.waiting = this.waiting.filter((one) => !answered.includes(one));
    for (const { tell } of answered) tell();
  }
}
