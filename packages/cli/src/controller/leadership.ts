import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { type KubernetesClient, type Logger, type Random, realTime, startLeaderElection } from '@nodewright/runtime';
import { controllerNamespace } from './pod-namespace.ts';
import type { ControllerSettings } from './setting-table.ts';

export type ControllerLeaderElection = {
  readonly settings: ControllerSettings;
  readonly client: KubernetesClient;
  readonly random: Random;
  readonly log: Logger;
  /** The namespace of the kubeconfig's context. */
  readonly namespace?: string | undefined;
  /** Called once, when this process leads. */
  readonly lead: () => void;
  /** Called when another process may lead. */
  readonly lost: () => void;
};

/**
 * Leads at once where there is no election, else when the Lease is ours. Follows real time even where the cluster's
 * does not: a Lease is about processes, and they are in real time.
 * @returns what gives the Lease back
 */
export function seekLeadership({ settings, client, random, log, namespace, lead, lost }: ControllerLeaderElection): {
  stop(): Promise<void>;
} {
  if (settings.disableLeaderElection) {
    lead();
    return { stop: () => Promise.resolve() };
  }
  let stopping = false;
  const election = startLeaderElection({
    client,
    clock: realTime().clock,
    random,
    log,
    name: settings.leaderElectionName,
    namespace: settings.leaderElectionNamespace || controllerNamespace(namespace),
    identity: `${hostname()}_${randomUUID()}`,
    lookSeconds,
    lead: (signal) => {
      signal.addEventListener('abort', () => (stopping ? undefined : lost()), { once: true });
      lead();
    },
  });
  return {
    stop: () => {
      stopping = true;
      return election.stop();
    },
  };
}

/** Whoever waits looks this often, so that a hand-over is done within two seconds. */
const lookSeconds = 1;
