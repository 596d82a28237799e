/** Updates that wait until their command has an outcome. */
export class PendingUpdates {
  private waiting: { commandId: string; complete: () => void }[] = [];

  /** A promise, not a `condition`: each check of a condition costs another entry into the sandbox. */
  wait(commandId: string): Promise<void> {
    return new Promise((complete) => this.waiting.push({ commandId, complete }));
  }

  completeAnswered(isAnswered: (commandId: string) => boolean): void {
    const answered = this.waiting.filter(({ commandId }) => isAnswered(commandId));
    if (answered.length === 0) return;
    this.waiting = this.waiting.filter((one) => !answered.includes(one));
    for (const { complete } of answered) complete();
  }
}
