import type { Clock, Random, RequestHandler } from '@nodewright/runtime';
import { ReleaseStore } from '../releases/release-store.ts';
import type { Release } from '../releases/release.ts';
import type { Account } from './account.ts';
import { CallLog, type AwsCall } from './calls.ts';
import { awsEndpoint } from './endpoint.ts';
import { Faults } from './faults.ts';
import type { Service, ServiceName } from './service.ts';
import { PublicParameters } from './ssm/parameters.ts';

export type AwsOptions = {
  readonly clock: Clock;
  readonly random: Random;
  /** Twelve digits. */
  readonly accountId?: string;
  readonly region: string;
  readonly releases: readonly Release[];
};

/** The AWS account of the sandbox: its endpoints, and the models behind them. */
export type Aws = {
  /** One handler for all services, told apart by credential scope, target header and path. */
  readonly handle: RequestHandler;
  /** Loads what the services need from disk, so that serving a call never leaves the promise queue. */
  load(): Promise<void>;
  /** The calls after the one with the number, in order. */
  calls(since?: number): readonly AwsCall[];
  readonly faults: Faults;
  readonly releases: ReleaseStore;
};

export function createAws(options: AwsOptions): Aws {
  const { clock } = options;
  const account: Account = { id: options.accountId ?? '111122223333', region: options.region };
  const releases = new ReleaseStore(options.releases);
  const parameters = new PublicParameters(releases);
  const faults = new Faults();
  const calls = new CallLog();
  const service = once({
    ssm: async () => (await import('./ssm/service.ts')).ssmService({ clock, parameters, region: account.region }),
    sts: async () => (await import('./sts/service.ts')).stsService({ account }),
  });
  return {
    handle: awsEndpoint({ clock, random: options.random.fork('aws-request-ids'), faults, calls, service: service.get }),
    load: service.all,
    calls: (since) => calls.since(since),
    faults,
    releases,
  };
}

type Loaders = Readonly<Record<string, () => Promise<Service>>>;

/** Each service is loaded when it is first called, and once. */
function once(loaders: Loaders) {
  const loaded = new Map<string, Promise<Service>>();
  const get = (name: ServiceName): Promise<Service> => {
    const known = loaded.get(name) ?? load(loaders, name);
    loaded.set(name, known);
    return known;
  };
  const all = async (): Promise<void> => {
    await Promise.all(Object.keys(loaders).map((name) => get(name as ServiceName)));
  };
  return { get, all };
}

function load(loaders: Loaders, name: ServiceName): Promise<Service> {
  const loader = loaders[name];
  if (loader === undefined) throw new Error(`the sandbox has no service ${name}`);
  return loader();
}
