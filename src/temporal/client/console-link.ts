import type { WorkflowClientInterceptor } from '@temporalio/client';
import { reservationWorkflow } from '../../contract/names.js';
import type { ReservationStart } from '../../contract/reservation.js';

/**
 * Temporal UI shows with each reservation a link to its screen of the console: its static details, which are set when it is
 * started.
 * @param consoleUrl origin at which browsers reach the console
 */
export function consoleLinkInterceptor(consoleUrl: string): WorkflowClientInterceptor {
  const withLink = <Options extends { workflowId: string; args: readonly unknown[] }>(options: Options) => {
    const { reservationId } = options.args[0] as ReservationStart;
    return { ...options, staticDetails: `[Console](${consoleUrl}/r/${reservationId})` };
  };
  return {
    signalWithStart: (input, next) =>
      next(isReservation(input) ? { ...input, options: withLink(input.options) } : input),
    startUpdateWithStart: (input, next) =>
      next(
        isReservation(input)
          ? { ...input, workflowStartOptions: withLink(input.workflowStartOptions) }
          : input,
      ),
  };
}

const isReservation = ({ workflowType }: { workflowType: string }) => workflowType === reservationWorkflow;
