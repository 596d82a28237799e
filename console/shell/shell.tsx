import './shell.css';
import { Button } from '../design/button.js';
import { Icon } from '../design/icon.js';
import { isPaletteOpen, Palette } from '../palette/palette.js';
import { ExpiredLogin } from '../screens/login/login.js';
import { isHelpOpen, ShortcutHelp } from '../shortcuts/help.js';
import { type Shortcut, useShortcuts } from '../shortcuts/shortcuts.js';
import { screenAt } from '../state/paths.js';
import { navigate, place, withQuery } from '../state/router.js';
import { isExpired, me } from '../state/session.js';
import { t } from '../texts/index.js';
import { LiveMark } from './live-mark.js';
import { LogOutWarning } from './log-out-warning.js';
import { navigation, screens } from './screens.js';
import { UserMenu } from './user-menu.js';

const shortcuts: Shortcut[] = [
  ...navigation.map(({ href, key, text }) => ({
    keys: `g ${key}`,
    name: () => t('shortcuts.go', { screen: t(text) }),
    run: () => navigate(withQuery(href)),
  })),
  { keys: '/', name: () => t('shortcuts.palette'), run: () => (isPaletteOpen.value = true) },
  { keys: '?', name: () => t('shortcuts.help'), run: () => (isHelpOpen.value = true) },
];

/** The frame of every screen. */
export function Shell() {
  useShortcuts(shortcuts, 'everyScreen');
  return (
    <>
      <a class="skip" href="#main">
        {t('nav.skip')}
      </a>
      <header class="bar">
        <a class="brand" href="/">
          <Icon name="car" />
          <span>Handover</span>
        </a>
        <Navigation />
        <span class="grow" />
        <Button
          kind="quiet"
          icon="search"
          label={`${t('shortcuts.search')} Ctrl K`}
          shortcut="Control+k"
          onClick={() => (isPaletteOpen.value = true)}
        >
          <span>{t('shortcuts.search')}</span> <kbd>Ctrl K</kbd>
        </Button>
        <LiveMark />
        <UserMenu />
      </header>
      <main id="main" tabIndex={-1}>
        <CurrentScreen />
        <p class="zone soft small">UTC{me()?.timeZone}</p>
      </main>
      <ShortcutHelp />
      <Palette />
      {isExpired.value && <ExpiredLogin />}
      <LogOutWarning />
    </>
  );
}

function Navigation() {
  const { path } = place.value;
  return (
    <nav aria-label={t('nav.label')}>
      {navigation.map(({ href, text, icon }) => (
        <a
          key={href}
          href={path === href ? href : withQuery(href)}
          aria-current={path === href ? 'page' : undefined}
        >
          <Icon name={icon} />
          <span>{t(text)}</span>
        </a>
      ))}
    </nav>
  );
}

function CurrentScreen() {
  const { path } = place.value;
  const at = screenAt(path);
  if (at === null) return <p class="empty">{t('screen.missing')}</p>;
  const Screen = screens[at.name];
  // another reservation is another screen: none of its forms stay
  return <Screen key={path} id={at.id} />;
}
