import { partitionOfRegion } from '@nodewright/apis';
import { readFields } from './read-fields.ts';
import { type InstallValues, valueFields } from './install-values.ts';
import type { SettingCatalogue } from './setting-values.ts';

export type InstallReading = {
  readonly values: InstallValues;
  /** Every mistake, as `field: what would be right`. With one of them the values are not to be used. */
  readonly complaints: readonly string[];
};

/** The values of an installation: what is given, and the default of everything else. */
export function readInstallValues(given: unknown, catalogue: SettingCatalogue): InstallReading {
  const complaints: string[] = [];
  const complain = (complaint: string): number => complaints.push(complaint);
  const values = readFields(valueFields(catalogue))({ field: '', value: given, complain });
  // What is wrong by itself needs no second complaint.
  const missing = complaints.some((each) => each.startsWith('settings')) ? [] : listMissingClusterName(values);
  const contradictions = complaints.length > 0 ? [] : listContradictions(values, catalogue);
  return { values, complaints: [...complaints, ...missing, ...contradictions] };
}

/** What is wrong with values that are right one by one. */
function listContradictions(values: InstallValues, catalogue: SettingCatalogue): readonly string[] {
  return [
    ...listUnknownPorts(values),
    ...listLonelyLeaders(values, catalogue),
    ...listForeignRoles(values),
    ...listImpossibleTolerations(values),
    ...listDoubleVariables(values, catalogue),
  ];
}

const listMissingClusterName = ({ settings }: InstallValues): readonly string[] =>
  (settings.get('clusterName') ?? '') === '' ? ['settings.clusterName: is required: the name of the EKS cluster'] : [];

const listUnknownPorts = ({ settings }: InstallValues): readonly string[] =>
  ['metricsPort', 'healthProbePort']
    .filter((name) => Number(settings.get(name) ?? '1') === 0)
    .map((name) => `settings.${name}: must be a port from 1 to 65535, because probes and the Service have to know it`);

function listLonelyLeaders({ replicas, settings }: InstallValues, { defaultOf }: SettingCatalogue): readonly string[] {
  const leads = /^(?:1|t|true)$/i.test(settings.get('disableLeaderElection') ?? defaultOf('disableLeaderElection'));
  return leads && replicas > 1
    ? [`replicas: must be 1 with settings.disableLeaderElection, not ${replicas}: each of them would lead`]
    : [];
}

function listForeignRoles({ region, roleArn, createServiceAccount }: InstallValues): readonly string[] {
  if (roleArn === '') return [];
  if (!createServiceAccount)
    return ['roleArn: has no effect with createServiceAccount: false; annotate the ServiceAccount that exists'];
  const partition = roleArn.split(':')[1] ?? '';
  const expected = region === '' ? partition : partitionOfRegion(region).name;
  return partition === expected
    ? []
    : [`roleArn: must be in the partition ${expected} of ${region}, not in ${partition}`];
}

const listImpossibleTolerations = ({ tolerations }: InstallValues): readonly string[] =>
  tolerations.flatMap(({ key, operator, value }, index) => {
    const field = `tolerations[${index}]`;
    if (operator === 'Exists' && value !== '')
      return [`${field}.value: must be left out with operator: Exists, not "${value}"`];
    return operator === 'Equal' && key === ''
      ? [`${field}.key: is required with operator: Equal; operator: Exists without a key tolerates every taint`]
      : [];
  });

/** Variables that have a field of their own. */
function listDoubleVariables({ environment }: InstallValues, catalogue: SettingCatalogue): readonly string[] {
  const fields = new Map([
    ...catalogue.names.map((name) => [catalogue.variableOf(name), `settings.${name}`] as const),
    ['AWS_REGION', 'region'],
    ['HTTPS_PROXY', 'proxy.https'],
    ['HTTP_PROXY', 'proxy.http'],
    ['NO_PROXY', 'proxy.except'],
    ['NODE_EXTRA_CA_CERTS', 'certificateAuthorities.configMap'],
  ]);
  return [...environment.keys()].flatMap((name) => {
    const field = fields.get(name);
    return field === undefined ? [] : [`environment.${name}: is written as ${field}`];
  });
}
