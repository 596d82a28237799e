import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { t } from '../texts/index.js';
import { Button } from './button.js';

interface DialogProps {
  title: string;
  children: ComponentChildren;
  /** Absent: there is nothing to submit. */
  submit?: { label: string; isBusy?: boolean; isDone?: boolean; run(form: HTMLFormElement): void };
  /** Absent: it cannot be closed. */
  onClose?(): void;
}

/** A modal form. It opens when it is rendered, and the browser checks the constraints of its fields. */
export function Dialog({ title, children, submit, onClose }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = ref.current;
    // what had the focus gets it back, also where the form is removed while it is open
    const opener = document.activeElement as HTMLElement | null;
    dialog?.showModal();
    return () => {
      dialog?.close();
      opener?.focus?.();
    };
  }, []);
  return (
    <dialog
      ref={ref}
      class="dialog"
      aria-label={title}
      onCancel={(event) => {
        // the choice of a file has one of its own
        if (event.target !== ref.current) return;
        event.preventDefault();
        onClose?.();
      }}
      onClose={() => {
        // a second Escape cannot be prevented
        if (!onClose) ref.current?.showModal();
      }}
    >
      <form
        method="dialog"
        onSubmit={(event) => {
          event.preventDefault();
          if (submit?.isBusy !== true && submit?.isDone !== true) submit?.run(event.currentTarget);
        }}
      >
        <h2>{title}</h2>
        {children}
        <div class="buttons">
          {onClose !== undefined && (
            <Button kind="quiet" onClick={onClose}>
              {t(submit === undefined || submit.isDone || submit.isBusy ? 'close' : 'cancel')}
            </Button>
          )}
          {submit !== undefined && !submit.isDone && (
            <Button type="submit" kind="primary" isBusy={submit.isBusy === true}>
              {submit.isBusy ? t('outcome:sending') : submit.label}
            </Button>
          )}
        </div>
      </form>
    </dialog>
  );
}
