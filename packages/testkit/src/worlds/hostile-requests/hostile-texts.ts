import * as fc from 'fast-check';

/** Texts that mean something to one of the parsers on the way. */
export const hostileText = fc.oneof(
  fc.constantFrom(
    '',
    '0',
    '-1',
    '1e999',
    '9'.repeat(40),
    'NaN',
    'null',
    'true',
    '*',
    '?',
    '\\',
    '%',
    '%zz',
    '%00',
    '/',
    '//',
    '..',
    ',',
    '=',
    '!',
    '(',
    ')',
    'in',
    'a in (',
    'a=b,',
    '[',
    '(((',
    '{',
    '"',
    '\u0000',
    '\ud800',
    '__proto__',
    'constructor',
    'a'.repeat(300),
    '{"v":1}',
    'eyJ2IjoxfQ',
    '2024-13-40T99:99:99Z',
    'ENOENT',
    '~1',
    '~2',
    '-',
    '1.28',
    '5m',
    '-5m',
    '1h1h',
    '0x10',
    'i-0',
    'lt-0',
    'ami-1',
  ),
  fc.string({ maxLength: 12 }),
);
const hostileNumber = fc.constantFrom(0, -1, 1.5, 2 ** 31, 2 ** 53, -(2 ** 63), 1e300, 1e-300);
export const hostileLeaf = fc.oneof(
  hostileText,
  hostileNumber,
  fc.boolean(),
  fc.constant(null),
  fc.constant([]),
  fc.constant({}),
);

export const awsWords = [
  'Filter',
  'Filters',
  'Name',
  'Names',
  'Values',
  'Value',
  'MaxResults',
  'NextToken',
  'InstanceId',
  'InstanceIds',
  'ImageIds',
  'Tags',
  'Key',
  'LaunchTemplateData',
  'LaunchTemplateConfigs',
  'TargetCapacitySpecification',
  'TotalTargetCapacity',
  'Resource',
  'UserData',
  'Owners',
  'nodegroupName',
  'scalingConfig',
  'minSize',
  'clusterName',
  'releaseVersion',
  'version',
  'QueueUrl',
  'MaxNumberOfMessages',
  'WaitTimeSeconds',
  'Path',
  'ServiceCode',
  'FormatVersion',
  'AutoScalingGroupNames',
  'member',
  'EventPattern',
  'Targets',
  'advance',
  'paused',
  'speed',
  'kind',
];

/** A value whose members have words that handlers read, at any place. */
export const valueOf = (words: readonly string[]): fc.Arbitrary<unknown> =>
  fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      hostileLeaf,
      fc.dictionary(fc.oneof(fc.constantFrom(...words), hostileText), tie('value'), { maxKeys: 6 }),
      fc.array(tie('value'), { maxLength: 4 }),
    ),
  })).value;

export type HostileRequest = {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};
