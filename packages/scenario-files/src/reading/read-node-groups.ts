import type { FieldReader } from './field-reader.ts';
import type { ScenarioNodeGroup } from './scenario-file.ts';

const nodeGroupFields = ['name', 'nodes', 'strategy', 'instanceType', 'labels'] as const;

/** The managed node groups of a cluster, without those that are wrong. */
export const readNodeGroups = (field: FieldReader): readonly ScenarioNodeGroup[] =>
  field.items('write a list of node groups').flatMap((each) => readNodeGroup(each) ?? []);

function readNodeGroup(field: FieldReader): ScenarioNodeGroup | undefined {
  const fields = field.fields(nodeGroupFields);
  const name = fields?.name.text('write the name of the group');
  const nodes = fields?.nodes.count();
  if (fields === undefined || name === undefined || nodes === undefined) return undefined;
  return {
    name,
    nodes,
    strategy: fields.strategy.isMissing ? 'DEFAULT' : (fields.strategy.choice(['DEFAULT', 'MINIMAL']) ?? 'DEFAULT'),
    instanceType: fields.instanceType.optionalText('write an instance type') ?? 'm5.large',
    labels: readGroupLabels(fields.labels),
  };
}

const readGroupLabels = (field: FieldReader): Readonly<Record<string, string>> =>
  Object.fromEntries(field.fieldNames().map((key) => [key, field.field(key).text() ?? '']));
