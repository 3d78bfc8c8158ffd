import { conversionEndpoint, fromTimestamp, type Instant, type Lease } from '@nodewright/apis';
import {
  type SettingEntry,
  type SettingName,
  settingNames,
  settingTable,
  variableOf,
} from '../../controller/setting-table.ts';
import { judgeDrift } from './judge-drift.ts';
import { type SeenController, takenOverKinds, type TakeoverSnapshot } from './observe-takeover.ts';
import type { TakeoverFinding } from './takeover-finding.ts';

/** What stands for and against a takeover, check by check. */
export const judgeTakeover = (seen: TakeoverSnapshot): readonly TakeoverFinding[] => [
  ...judgeKinds(seen),
  judgeKarpenter(seen.karpenter),
  judgeNodewright(seen.nodewright),
  judgeLeases(seen),
  ...judgeSettings(seen),
  ...judgeDrift(seen),
];

function judgeKinds({ definitions }: TakeoverSnapshot): readonly TakeoverFinding[] {
  const check = 'kinds';
  return takenOverKinds.map((subject): TakeoverFinding => {
    const found = definitions.find(({ metadata }) => metadata.name === subject);
    if (found === undefined) return { check, state: 'blocked', subject, message: 'the cluster has no such kind' };
    const versions = found.spec?.versions ?? [];
    if (!versions.some(({ name, served, storage }) => name === 'v1' && served === true && storage === true))
      return {
        check,
        state: 'blocked',
        subject,
        message: 'v1 is not the version that is stored; update the definitions',
      };
    const old = (found.status?.storedVersions ?? []).filter((name) => name !== 'v1');
    if (old.length > 0) {
      const message = `objects may still be stored as ${old.join(', ')}; write each of them once, and take the version out of status.storedVersions`;
      return { check, state: 'warning', subject, message };
    }
    if (found.spec?.conversion?.strategy !== 'Webhook')
      return { check, state: 'ok', subject, message: 'v1 is served and stored' };
    const service = found.spec.conversion.webhook?.clientConfig?.service;
    return service?.path === conversionEndpoint.path
      ? {
          check,
          state: 'ok',
          subject,
          message: `v1 is served and stored, and Nodewright behind ${service.namespace}/${service.name} converts`,
        }
      : {
          check,
          state: 'blocked',
          subject,
          message: 'its conversion webhook is served by Karpenter; `nodewright crds` has definitions without one',
        };
  });
}

const printKey = ({ key }: SeenController): string => `${key.namespace}/${key.name}`;
const imageOf = ({ deployment }: SeenController): string => deployment?.spec.template.spec.containers[0]?.image ?? '';

function judgeKarpenter(controller: SeenController): TakeoverFinding {
  const base = { check: 'karpenter', subject: printKey(controller) } as const;
  if (controller.deployment === undefined)
    return { ...base, state: 'blocked', message: 'there is no such Deployment; --karpenter names it' };
  const version = /:v?(\d+)\.(\d+)/.exec(imageOf(controller));
  if (version !== null && version[1] !== '1')
    return { ...base, state: 'blocked', message: `runs ${version[1]}.${version[2]}; update to a 1.x first` };
  const message = version === null ? `its version is not known from ${imageOf(controller)}` : `runs 1.${version[2]}`;
  return { ...base, state: version === null ? 'warning' : 'ok', message };
}

function judgeNodewright(controller: SeenController): TakeoverFinding {
  const base = { check: 'nodewright', subject: printKey(controller) } as const;
  return controller.deployment === undefined
    ? {
        ...base,
        state: 'blocked',
        message: 'there is no such Deployment; install it first, or name it with --nodewright',
      }
    : { ...base, state: 'ok', message: `is installed with ${controller.deployment.spec.replicas ?? 1} replicas` };
}

/** One Lease for both is what keeps two controllers from acting at once. */
function judgeLeases({ karpenter, nodewright, now }: TakeoverSnapshot): TakeoverFinding {
  const [one, other] = [karpenter, nodewright].map(({ leaseKey }) => `${leaseKey.namespace}/${leaseKey.name}`);
  const base = { check: 'lease', subject: one ?? '' } as const;
  const alone = [karpenter, nodewright].find(({ environment }) =>
    isTurnedOn(environment.get('DISABLE_LEADER_ELECTION')),
  );
  if (alone !== undefined)
    return {
      ...base,
      state: 'blocked',
      message: `${printKey(alone)} runs without leader election, so nothing keeps both from acting`,
    };
  if (one !== other) {
    const { leaseKey } = karpenter;
    const message = `Nodewright wants the Lease ${other}, so both would act; set settings.leaderElectionNamespace: ${leaseKey.namespace} and settings.leaderElectionName: ${leaseKey.name}`;
    return { ...base, state: 'blocked', message };
  }
  const holder = holderAt(karpenter.lease, now);
  return {
    ...base,
    state: 'ok',
    message: holder === undefined ? 'both want it; no process holds it now' : `both want it; ${holder} holds it`,
  };
}

const isTurnedOn = (text: string | undefined): boolean => /^(?:1|t|true)$/i.test(text ?? '');

/** Who holds the Lease, unless its time is over. */
export function holderAt(lease: Lease | undefined, now: Instant): string | undefined {
  const { holderIdentity = '', renewTime, leaseDurationSeconds = 0 } = lease?.spec ?? {};
  if (holderIdentity === '' || renewTime === undefined) return undefined;
  return fromTimestamp(renewTime) + leaseDurationSeconds * 1_000 < now ? undefined : holderIdentity;
}

/** These decide which nodes and messages are a controller's own. */
const identities: ReadonlySet<string> = new Set(['CLUSTER_NAME', 'INTERRUPTION_QUEUE']);
/** These may differ: each process has its own. */
const ownMatters: ReadonlySet<string> = new Set([
  'METRICS_PORT',
  'HEALTH_PROBE_PORT',
  'CPU_REQUESTS',
  'MEMORY_LIMIT',
  'LOG_LEVEL',
  'LEADER_ELECTION_NAMESPACE',
  'LEADER_ELECTION_NAME',
]);

function judgeSettings({ karpenter, nodewright }: TakeoverSnapshot): readonly TakeoverFinding[] {
  if (karpenter.deployment === undefined || nodewright.deployment === undefined) return [];
  const findings = settingNames.flatMap((name): readonly TakeoverFinding[] => {
    const subject = variableOf(name);
    const [theirs, ours] = [
      readSettingVariable(karpenter.environment, name),
      readSettingVariable(nodewright.environment, name),
    ];
    if (ownMatters.has(subject) || theirs.effect === ours.effect) return [];
    const message = `Karpenter has ${theirs.said}, Nodewright ${ours.said}`;
    return [{ check: 'settings', state: identities.has(subject) ? 'blocked' : 'warning', subject, message }];
  });
  const message = 'both have the same settings';
  return findings.length > 0 ? findings : [{ check: 'settings', state: 'ok', subject: 'environment', message }];
}

/** What a variable says, and what it comes to: `10s` is the default where the default is ten seconds. */
function readSettingVariable(environment: SeenController['environment'], name: SettingName) {
  const { value, readEnvironment }: SettingEntry<unknown> = settingTable[name];
  const variable = variableOf(name);
  const text = environment.get(variable);
  if (!environment.has(variable) || text === '') return { said: 'the default', effect: JSON.stringify(value) };
  if (text === undefined) return { said: 'a value from another object', effect: 'unknown' };
  try {
    return { said: `"${text}"`, effect: JSON.stringify(readEnvironment(text)) };
  } catch {
    return { said: `"${text}"`, effect: text };
  }
}
