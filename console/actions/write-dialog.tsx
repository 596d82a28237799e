import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { WriteEndpoint } from '../api/endpoints.js';
import { Dialog } from '../design/dialog.js';
import { Notice } from '../design/notice.js';
import { OutcomeNotice } from '../design/outcome.js';
import { useFormWrite, type Write } from '../state/write.js';
import { t } from '../texts/index.js';

interface WriteDialogProps<Applied, Open> {
  title: string;
  submit: string;
  endpoint: WriteEndpoint<Applied, Open>;
  /** Of the endpoint's path. */
  params?: Record<string, string | number>;
  body(data: FormData): unknown;
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

/**
 * A form of one write, with its outcome in place. Without an answer the same request is sent again, so its fields stay as they are,
 * also when the form is closed and opened again.
 */
export function WriteDialog<Applied, Open>(props: WriteDialogProps<Applied, Open>) {
  const {
    title,
    submit,
    endpoint,
    params = {},
    body,
    onApplied,
    awaited,
    applied,
    children,
    onClose,
  } = props;
  const own = useFormWrite(endpoint, params);
  const write = props.write ?? own;
  const { is } = write.outcome.value;
  const fields = useRef<HTMLFieldSetElement>(null);
  useLayoutEffect(() => {
    const left = write.outcome.peek().is;
    // what nothing follows has no other outcome than 202
    if (left === 'applied' || (left === 'open' && props.write === undefined)) write.reset();
    else if (write.sent !== null && fields.current !== null) fill(fields.current, write.sent);
    return () => {
      // a refusal was read in the form
      if (write.outcome.peek().is === 'rejected') write.reset();
    };
  }, [write]);
  const run = async (form: HTMLFormElement) => {
    if (is === 'lost') return write.repeat();
    const data = new FormData(form);
    write.sent = data;
    await write.send(endpoint, { params, body: body(data) }, onApplied);
  };
  return (
    <Dialog
      title={title}
      submit={{
        label: is === 'lost' ? t('outcome.again') : submit,
        isBusy: is === 'sending',
        isDone: is === 'applied' || is === 'open',
        run: (form) => void run(form),
      }}
      onClose={onClose}
    >
      <fieldset ref={fields} class="stack plain" disabled={is !== 'idle' && is !== 'rejected'}>
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

/** Writes into the fields what was sent. */
function fill({ elements }: HTMLFieldSetElement, sent: FormData): void {
  for (const field of elements as Iterable<HTMLInputElement>) {
    const values = sent.getAll(field.name);
    if (field.type === 'checkbox' || field.type === 'radio') field.checked = values.includes(field.value);
    else if (field.type !== 'file' && typeof values[0] === 'string') field.value = values[0];
  }
}
