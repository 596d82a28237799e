import { Context } from '@temporalio/activity';

/** A database that can be down for the activities that need it: it refuses, or says nothing. */
export class Outage {
  down: 'refuses' | 'is silent' | false = false;
  /** Tries that it did not take, by activity. */
  readonly tries: string[] = [];
  private silence = newSilence();

  /** The same activities; those named need the database. */
  over<A extends object>(activities: A, names: readonly (keyof A & string)[]): A {
    const guarded = names.map((name) => {
      const activity = activities[name] as (...args: unknown[]) => Promise<unknown>;
      const guard = async (...args: unknown[]) => {
        await this.answer(name);
        return activity(...args);
      };
      return [name, guard] as const;
    });
    return { ...activities, ...Object.fromEntries(guarded) };
  }

  /** What waits for an answer continues. */
  end(): void {
    this.down = false;
    this.silence.end();
    this.silence = newSilence();
  }

  private async answer(name: string): Promise<void> {
    if (!this.down) return;
    this.tries.push(name);
    if (this.down === 'refuses') throw new Error('the database is down');
    await Promise.race([cancelled(), this.silence.over]);
  }
}

/** Rejects when the activity is cancelled; what a worker does for a workflow directly is no activity, and never is. */
function cancelled(): Promise<never> {
  try {
    return Context.current().cancelled;
  } catch {
    return new Promise(() => {});
  }
}

function newSilence() {
  let end = () => {};
  const over = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { over, end };
}
