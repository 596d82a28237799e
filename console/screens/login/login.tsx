import './login.css';
import { useEffect, useState } from 'preact/hooks';
import { textIn } from '../../actions/text-in.js';
import { addressOf, send } from '../../api/client.js';
import { endpoints } from '../../api/endpoints.js';
import type { LoginMethods } from '../../api/types.js';
import { Button } from '../../design/button.js';
import { Dialog } from '../../design/dialog.js';
import { Field } from '../../design/field.js';
import { Icon } from '../../design/icon.js';
import { reasonOf } from '../../design/load.js';
import { Notice } from '../../design/notice.js';
import { endLoginAgain } from '../../state/end-login.js';
import { isLogOutOpen } from '../../state/log-out.js';
import { logIn, loginFailure, resumeSession } from '../../state/session.js';
import { useAttempt } from '../../state/use-attempt.js';
import { t, textOf } from '../../texts/index.js';

/** The token is sent once; it is stored nowhere. */
function useLogin() {
  const { isBusy, error, run } = useAttempt((form: HTMLFormElement) =>
    logIn(textIn(new FormData(form), 'token')),
  );
  const refusal = error && (error.status === 401 ? t('login.refused') : reasonOf(error));
  return { isBusy, refusal, run };
}

/** Null: not known yet. */
function useLoginMethods(): LoginMethods['methods'] | null {
  const [methods, setMethods] = useState<LoginMethods['methods'] | null>(null);
  useEffect(() => {
    send(endpoints.loginMethods).then(
      ({ body }) => setMethods(body.methods),
      () => setMethods(['token']),
    );
  }, []);
  return methods;
}

/** Leaves for the identity provider, which sends the browser back to the page that was open. */
function AccountLink({ target }: { target?: '_blank' }) {
  const to = location.pathname + location.search;
  return (
    <a
      class="button primary large"
      href={addressOf(endpoints.loginByProvider, { query: { to } })}
      target={target}
    >
      {t('login.provider')}
    </a>
  );
}

function TokenField() {
  return (
    <Field label={t('login.token')} hint={t('login.hint')}>
      <input name="token" type="password" required autocomplete="current-password" autofocus />
    </Field>
  );
}

function Refusal({ text }: { text: string | null }) {
  if (text === null) return null;
  return (
    <Notice tone="bad" icon="cancelled" isUrgent>
      {text}
    </Notice>
  );
}

/** The user is gone, and the service does not know it yet: it has to, before another one logs in. */
function OpenLogOut() {
  return (
    <>
      <Notice tone="warn" icon="offline" isUrgent>
        {t('login.ending')}
      </Notice>
      <Button icon="refresh" onClick={endLoginAgain}>
        {t('retry')}
      </Button>
    </>
  );
}

/** The first page of who is not logged in. */
export function Login() {
  return (
    <main class="login">
      <div class="panel">
        <span class="emblem">
          <Icon name="car" />
        </span>
        <h1>{t('login.title')}</h1>
        <Refusal text={loginFailure.value && textOf('login.failed', loginFailure.value)} />
        {isLogOutOpen.value ? <OpenLogOut /> : <LoginForm />}
      </div>
    </main>
  );
}

function LoginForm() {
  const { isBusy, refusal, run } = useLogin();
  const methods = useLoginMethods();
  const byToken = (
    <>
      <TokenField />
      <Refusal text={refusal} />
      <Button type="submit" kind="primary" size="large" isBusy={isBusy}>
        {t('login.submit')}
      </Button>
    </>
  );
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        run(event.currentTarget);
      }}
    >
      {methods?.includes('oidc') ? (
        <>
          <AccountLink />
          <details>
            <summary>{t('login.byToken')}</summary>
            <div class="by-token">{byToken}</div>
          </details>
        </>
      ) : (
        methods !== null && byToken
      )}
    </form>
  );
}

/** The login ended while a screen was open: what is on it stays. */
export function ExpiredLogin() {
  const { isBusy, refusal, run } = useLogin();
  const methods = useLoginMethods();
  useEffect(() => {
    const resume = () => void resumeSession().catch(() => {});
    addEventListener('focus', resume);
    return () => removeEventListener('focus', resume);
  }, []);
  return (
    <Dialog title={t('login.title')} submit={{ label: t('login.submit'), isBusy, run }}>
      <p>{t('login.expired')}</p>
      {methods?.includes('oidc') && <AccountLink target="_blank" />}
      <TokenField />
      <Refusal text={refusal} />
    </Dialog>
  );
}
