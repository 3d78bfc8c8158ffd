import { emptyDashboard, emptyHistory, recordHistory } from '@nodewright/dashboard/rows';
import { readClusterState } from '@nodewright/operator';
import { type Cloud, CloudError } from '@nodewright/ports';
import { createAwsCloud, createInProcessClients } from '@nodewright/provider-aws';
import { seededRandom } from '@nodewright/runtime';
import { listenOn } from '@nodewright/sandbox';
import { readSchedulingSettings } from '../../packages/cli/src/controller/scheduling-settings.ts';
import { composeDashboard, type ComposedDashboard } from '../../packages/cli/src/dashboard/compose-dashboard.ts';
import type { DashboardFeed } from '../../packages/cli/src/dashboard/dashboard-feed.ts';
import { createDashboardHandler } from '../../packages/cli/src/dashboard/dashboard-handler.ts';
import { ImageReadings } from '../../packages/cli/src/dashboard/image-readings.ts';
import { readPageFiles } from '../../packages/cli/src/dashboard/page-files.ts';
import { clusterName, type imageWorld } from './image-world.ts';

type PreparedWorld = Pick<Awaited<ReturnType<typeof imageWorld>>, 'admin' | 'aws' | 'time'>;

/** What its server has beside the cluster, and whether AWS refuses to tell it anything [no]. */
type PageTraits = Pick<Parameters<typeof createDashboardHandler>[0], 'review' | 'forecasts'> & {
  readonly isAwsSilent?: boolean;
};

export type PreparedPage = {
  readonly url: string;
  /** As after another reading of the cluster: open pages are told what is new to them. */
  tell(): void;
  close(): Promise<void>;
};

/** The page of a cluster as it is now: what it was read as stays, because the time of such a world stands still. */
export async function servePreparedPage(
  world: PreparedWorld,
  { isAwsSilent = false, ...traits }: PageTraits = {},
): Promise<PreparedPage> {
  const { dashboard, last, lacks } = await readPreparedWorld(world, isAwsSilent);
  const { clock } = world.time;
  const history = recordHistory(emptyHistory, emptyDashboard, dashboard);
  const listeners = new Set<() => void>();
  const feed: DashboardFeed = {
    clock,
    state: () => ({ ...lacks, dashboard, isComplete: true }),
    lastReading: () => last,
    history: () => history,
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    stop: () => Promise.resolve(),
  };
  const handler = createDashboardHandler({ feed, files: readPageFiles(), allowedHosts: [], ...traits });
  const listening = await listenOn(handler, { port: 0 });
  return {
    url: listening.url,
    tell: () => listeners.forEach((listener) => listener()),
    close: () => listening.close(),
  };
}

async function readPreparedWorld(
  { admin: client, aws, time }: PreparedWorld,
  isAwsSilent: boolean,
): Promise<ComposedDashboard> {
  const { clock, gate } = time;
  const answering = createAwsCloud({
    clock,
    gate,
    random: seededRandom('page'),
    clusterName,
    region: 'us-east-1',
    clients: createInProcessClients({ gate, answer: aws.answer }),
    kubernetesVersion: () => Promise.resolve('1.29'),
  });
  const cloud = isAwsSilent ? { ...answering, ...silentPorts(answering) } : answering;
  const now = clock.now();
  const { signal } = new AbortController();
  const sources = { ...readSchedulingSettings({}, {}), client, cloud, now };
  const reading = await time.finish(readClusterState(sources, signal));
  const images = new ImageReadings({ client, cloud });
  return time.finish(composeDashboard(reading, { images, forbidden: new Set(), now }, signal));
}

/** As AWS answers a caller who is not signed in. */
function silentPorts({ instanceTypes, nodeClasses }: Cloud): Pick<Cloud, 'instanceTypes' | 'nodeClasses'> {
  const refuse = (): Promise<never> =>
    Promise.reject(
      new CloudError('CredentialsProviderError: Could not load credentials from any providers', {
        code: 'CredentialsProviderError',
        retry: 'backOff',
      }),
    );
  return { instanceTypes: { ...instanceTypes, list: refuse }, nodeClasses: { ...nodeClasses, images: refuse } };
}
