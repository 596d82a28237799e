import type { ComponentChildren } from 'preact';
import type { Request, WriteEndpoint } from '../api/endpoints.js';
import { Dialog } from '../design/dialog.js';
import { Notice } from '../design/notice.js';
import { OutcomeNotice } from '../design/outcome.js';
import { useWrite, type Write } from '../state/write.js';
import { t } from '../texts/index.js';

interface WriteDialogProps<Applied, Open> {
  title: string;
  submit: string;
  endpoint: WriteEndpoint<Applied, Open>;
  request(data: FormData): Request;
  onApplied?(answer: Applied): void;
  /** What is awaited after 202; absent: the answer is a command, which states it. */
  awaited?: string;
  /** What an applied write means, where it is more than that. */
  applied?: string;
  /** Given where something else shows or follows its outcome too. */
  write?: Write;
  children?: ComponentChildren;
  onClose(): void;
}

/** A form of one write, with its outcome in place. Without an answer the same request is sent again, so its fields stay as they are. */
export function WriteDialog<Applied, Open>(props: WriteDialogProps<Applied, Open>) {
  const { title, submit, endpoint, request, onApplied, awaited, applied, children, onClose } = props;
  const own = useWrite();
  const write = props.write ?? own;
  const { is } = write.outcome.value;
  const run = (form: HTMLFormElement) => {
    if (is === 'lost') void write.repeat();
    else void write.send(endpoint, request(new FormData(form)), onApplied);
  };
  return (
    <Dialog
      title={title}
      submit={{
        label: is === 'lost' ? t('outcome.again') : submit,
        isBusy: is === 'sending',
        isDone: is === 'applied' || is === 'open',
        run,
      }}
      onClose={onClose}
    >
      <fieldset class="stack plain" disabled={is !== 'idle' && is !== 'rejected'}>
        {children}
      </fieldset>
      {is === 'open' && awaited !== undefined ? (
        <Notice icon="wait" tone="warn" isUrgent>
          {awaited}
        </Notice>
      ) : is === 'applied' && applied !== undefined ? (
        <Notice icon="done" tone="good" isUrgent>
          {applied}
        </Notice>
      ) : (
        <OutcomeNotice write={write} />
      )}
    </Dialog>
  );
}
