import type { FieldReader } from './field-reader.ts';
import { readNodeGroups } from './read-node-groups.ts';
import { featureGateNames, type FeatureGateName, type GivenPath, type ScenarioCluster } from './scenario-file.ts';

export const clusterFields = [
  'snapshot',
  'name',
  'kubernetesVersion',
  'region',
  'zones',
  'catalogue',
  'startTime',
  'releases',
  'featureGates',
  'nodeGroups',
  'onUpdateFailure',
] as const;

const defaultRegion = 'us-east-1';
const mostZones = 6;

const plainCluster: ScenarioCluster = {
  isPlaced: false,
  region: defaultRegion,
  zones: namedZones(defaultRegion, 3),
  releases: 'still',
  featureGates: new Map(),
};

export function readCluster(field: FieldReader): ScenarioCluster {
  if (field.isMissing) return plainCluster;
  const fields = field.fields(clusterFields);
  if (fields === undefined) return plainCluster;
  if (!fields.snapshot.isMissing) return readSnapshotCluster(field);
  const region = fields.region.isMissing ? defaultRegion : (readRegion(fields.region) ?? defaultRegion);
  const name = fields.name.optionalText();
  const kubernetesVersion = readMinor(fields.kubernetesVersion);
  const catalogue = fields.catalogue.isMissing ? undefined : fields.catalogue.choice(['small', 'current']);
  const startTime = readTime(fields.startTime);
  const failure = fields.onUpdateFailure;
  const onUpdateFailure = failure.isMissing ? undefined : failure.choice(['leave', 'revert']);
  return {
    isPlaced: !fields.region.isMissing || !fields.zones.isMissing,
    region,
    zones: readZones(fields.zones, region) ?? namedZones(region, 3),
    releases: fields.releases.isMissing ? 'still' : (fields.releases.choice(['still', 'history']) ?? 'still'),
    featureGates: readFeatureGates(fields.featureGates),
    ...(name !== undefined && { name }),
    ...(kubernetesVersion !== undefined && { kubernetesVersion }),
    ...(catalogue !== undefined && { catalogue }),
    ...(startTime !== undefined && { startTime }),
    nodeGroups: readNodeGroups(fields.nodeGroups),
    ...(onUpdateFailure !== undefined && { onUpdateFailure }),
  };
}

/** The rest of such a cluster is in its file. */
function readSnapshotCluster(field: FieldReader): ScenarioCluster {
  const fields = field.fields(['snapshot', 'featureGates'], 'a cluster of a snapshot is written as an object');
  const path = fields?.snapshot.text('write a file that nodewright snapshot wrote');
  if (fields === undefined || path === undefined) return plainCluster;
  const snapshot = { path, place: fields.snapshot.place };
  return { ...plainCluster, snapshot, featureGates: readFeatureGates(fields.featureGates) };
}

function namedZones(region: string, count: number): readonly string[] {
  return ['a', 'b', 'c', 'd', 'e', 'f'].slice(0, count).map((letter) => `${region}${letter}`);
}

function readRegion(field: FieldReader): string | undefined {
  const text = field.text('write a region such as us-east-1');
  if (text === undefined || /^[a-z]{2}(-[a-z]+)+-\d$/.test(text)) return text;
  return field.want('write a region such as us-east-1');
}

/** A number of zones, or their names. */
function readZones(field: FieldReader, region: string): readonly string[] | undefined {
  if (field.isMissing) return undefined;
  if (!field.isList) {
    const count = field.count();
    if (count !== undefined && count > mostZones) return field.want(`write at most ${mostZones}, or a list of names`);
    return count === undefined ? undefined : namedZones(region, count);
  }
  const names = field.items().flatMap((each) => readZone(each, region) ?? []);
  return names.length === 0 ? undefined : names;
}

function readZone(field: FieldReader, region: string): string | undefined {
  const text = field.text(`write a zone such as ${region}a`);
  if (text === undefined || text.slice(0, -1) === region) return text;
  return field.want(`it is no zone of the region ${region}; write ${region}a, or another region`);
}

/** YAML reads 1.30 without quotes as the number 1.3. */
function readMinor(field: FieldReader): string | undefined {
  if (field.isMissing) return undefined;
  const { value } = field;
  if (typeof value === 'string' && /^1\.\d{1,2}$/.test(value)) return value;
  return field.want(
    typeof value === 'number'
      ? 'write it in quotes, because YAML reads 1.30 as 1.3'
      : 'write a minor version such as "1.34"',
  );
}

function readTime(field: FieldReader): number | undefined {
  if (field.isMissing) return undefined;
  const text = field.text('write a time such as 2026-03-02T08:00:00Z');
  if (text === undefined) return undefined;
  const at = Date.parse(text);
  if (/^\d{4}-\d{2}-\d{2}T/.test(text) && !Number.isNaN(at)) return at;
  return field.want('write a time such as 2026-03-02T08:00:00Z');
}

function readFeatureGates(field: FieldReader): ReadonlyMap<FeatureGateName, boolean> {
  if (field.isMissing) return new Map();
  const fields = field.fields(featureGateNames);
  const written = featureGateNames.filter((name) => fields?.[name].isMissing === false);
  return new Map(written.map((name) => [name, readGateFlag(fields?.[name])]));
}

function readGateFlag(field: FieldReader | undefined): boolean {
  if (field?.value === true) return true;
  if (field?.value !== false) field?.want('write true or false');
  return false;
}

/** Paths of manifests: one, or a list of them. */
export const readGiven = (field: FieldReader): readonly GivenPath[] =>
  field.oneOrMore().flatMap((each) => {
    const path = each.text('write a file, a folder, or - for standard input');
    return path === undefined ? [] : [{ path, place: each.place }];
  });
