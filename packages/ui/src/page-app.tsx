import {
  type Dashboard,
  describeHourlyCost,
  spellNodeCount,
  sumHourlyPrices,
  summarizeStages,
} from '@nodewright/dashboard/rows';
import { useContext, useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { useDashboardStream } from './live/dashboard-stream.ts';
import {
  followLink,
  formatPageAddress,
  type PageLocation,
  pageViews,
  type PageView,
  usePageLocation,
} from './live/page-location.ts';
import { ExplainPanel } from './parts/explain-panel.tsx';
import { IfShown } from './parts/if-shown.tsx';
import { clockContext, hiddenContext, placeContext, testingContext } from './parts/page-context.ts';
import { LongSentence } from './parts/long-sentence.tsx';
import { SentenceText } from './parts/sentence-text.tsx';
import { formatUtc } from './parts/format-utc.ts';
import { formatLocal } from './parts/time-text.tsx';
import { TimesSwitch } from './parts/times-switch.tsx';
import { ThemeSwitch } from './parts/theme-switch.tsx';
import { TokenForm } from './parts/token-form.tsx';
import { BlockersView } from './views/blockers-view.tsx';
import { FleetView } from './views/fleet-view.tsx';
import { HistoryView } from './views/history-view.tsx';
import { ImagesView } from './views/images-view.tsx';
import { MoneyView } from './views/money-view.tsx';
import { PodsView } from './views/pods-view.tsx';
import { RolloutsView } from './views/rollouts-view.tsx';

/** The whole page: what the cluster is like in a line, the views, and an explanation beside them. */
export function PageApp() {
  const { state, restart } = useDashboardStream();
  const { dashboard, isComplete, problem, untold, hidden = {}, needsToken = false, mayTest = false } = state;
  const place = usePageLocation();
  const title = pageViews.find(([view]) => view === place.view)?.[1] ?? '';
  useEffect(() => {
    document.title = `${title} – Nodewright`;
  }, [title]);
  const explained = place.query.get('explain');
  return (
    <placeContext.Provider value={place}>
      <clockContext.Provider value={dashboard.at}>
        <div class="page" onClick={followLink}>
          <a class="skip" href="#view">
            Skip to the view
          </a>
          <header>
            <span class="brand">Nodewright</span>
            <ViewLinks place={place} dashboard={dashboard} />
          </header>
          {problem !== undefined && (
            <p class="problem" role="alert">
              <SentenceText text={problem} />
            </p>
          )}
          <main id="view" tabIndex={-1} aria-busy={!isComplete && !needsToken}>
            <h1>{title}</h1>
            {needsToken ? (
              <TokenForm onToken={restart} />
            ) : isComplete || dashboard.nodes.length > 0 ? (
              <hiddenContext.Provider value={hidden}>
                <Summary dashboard={dashboard} />
                {untold !== undefined && (
                  <div class="warning">
                    <LongSentence text={untold} />
                  </div>
                )}
                <testingContext.Provider value={mayTest}>
                  <CurrentView view={place.view} dashboard={dashboard} />
                </testingContext.Provider>
              </hiddenContext.Provider>
            ) : (
              <p class="empty">Reading the cluster.</p>
            )}
          </main>
          <footer>
            <ThemeSwitch /> <TimesSwitch />
          </footer>
          {explained !== null && !needsToken && <ExplainPanel path={explained} />}
        </div>
      </clockContext.Provider>
    </placeContext.Provider>
  );
}

type ViewLinksProps = { readonly place: PageLocation; readonly dashboard: Dashboard };

function ViewLinks({ place, dashboard }: ViewLinksProps) {
  const links = useRef<HTMLElement>(null);
  const widths = pageViews.map(([view]) => countDigits(countOfView(view, dashboard))).join(' ');
  useLayoutEffect(() => {
    // A narrow screen shows a part of the links.
    links.current?.querySelector('[aria-current]')?.scrollIntoView({ inline: 'center', block: 'nearest' });
  }, [place.view, widths]);
  return (
    <nav aria-label="Views" ref={links}>
      {pageViews.map(([view, words]) => (
        <a
          key={view}
          href={formatPageAddress({ view, query: new URLSearchParams() }, {})}
          {...(view === place.view ? { 'aria-current': 'page' as const } : {})}
        >
          {words} <ViewCount count={countOfView(view, dashboard)} />
        </a>
      ))}
    </nav>
  );
}

/** As many as are drawn. */
const countDigits = (count = 0): number => (count === 0 ? 0 : String(count).length);

const ViewCount = ({ count }: { readonly count: number | undefined }) =>
  count === undefined || count === 0 ? null : <span class="count">{count}</span>;

function countOfView(view: PageView, { blockers, waiting, rollouts, nodeGroups }: Dashboard): number | undefined {
  switch (view) {
    case 'blockers':
      return blockers.length;
    case 'pods':
      return waiting.reduce((sum, { pods }) => sum + pods, 0);
    case 'rollouts':
      return (
        rollouts.filter(({ endedAt }) => endedAt === undefined).length +
        nodeGroups.filter(({ phase }) => phase === 'Updating' || phase === 'Blocked').length
      );
    case 'fleet':
    case 'images':
    case 'money':
    case 'history':
      return undefined;
  }
}

function Summary({ dashboard: { nodes, spending, at } }: { readonly dashboard: Dashboard }) {
  const hidden = useContext(hiddenContext);
  const unpriced = spending.reduce((sum, row) => sum + row.unpriced, 0);
  return (
    <p class="summary">
      {hidden.nodes === undefined && `${spellNodeCount(nodes.length)}: ${summarizeStages(nodes) || 'none'}`}
      {hidden.nodes === undefined && (hidden.spending === undefined ? '; ' : '. ')}
      {hidden.spending === undefined && `${describeHourlyCost(sumHourlyPrices(spending), unpriced)}. `}
      The cluster's time is{' '}
      <time dateTime={at}>
        {formatLocal(at)} ({formatUtc(at)})
      </time>
      .
    </p>
  );
}

function CurrentView({ view, dashboard }: { readonly view: PageView; readonly dashboard: Dashboard }) {
  switch (view) {
    case 'fleet':
      return <FleetView dashboard={dashboard} />;
    case 'rollouts':
      return <RolloutsView dashboard={dashboard} />;
    case 'blockers':
      return (
        <IfShown part="blockers" what="Blockers are">
          <BlockersView dashboard={dashboard} />
        </IfShown>
      );
    case 'images':
      return (
        <IfShown part="images" what="Images are">
          <ImagesView dashboard={dashboard} />
        </IfShown>
      );
    case 'money':
      return <MoneyView dashboard={dashboard} />;
    case 'pods':
      return (
        <IfShown part="waiting" what="Waiting pods are">
          <IfShown part="podReasons" what="Where waiting pods could run is" />
          <PodsView dashboard={dashboard} />
        </IfShown>
      );
    case 'history':
      return (
        <IfShown part="nodeReasons" what="Nodes and their history are">
          <HistoryView dashboard={dashboard} />
        </IfShown>
      );
  }
}
