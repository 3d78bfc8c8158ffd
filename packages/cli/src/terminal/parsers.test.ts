import { describe, expect, test } from 'vitest';
import * as parsers from './parsers.ts';

/** What a parser makes of a text, or what it says of it. */
const readWith = (parse: (text: string) => unknown, text: string): unknown => {
  try {
    return parse(text);
  } catch (failure) {
    return (failure as Error).message;
  }
};

const cases: readonly (readonly [parse: (text: string) => unknown, text: string, outcome: unknown])[] = [
  [parsers.positiveNumber, '0.5', 0.5],
  [parsers.positiveNumber, '0', 'must be a number above 0, not "0"'],
  [parsers.positiveNumber, '-1', 'must be a number above 0, not "-1"'],
  [parsers.positiveNumber, 'Infinity', 'must be a number above 0, not "Infinity"'],
  [parsers.positiveNumber, '', 'must be a number above 0, not ""'],
  [parsers.parseWholeNumber, '0', 0],
  [parsers.parseWholeNumber, ' ', 'must be a whole number from 0, not " "'],
  [parsers.parseWholeNumber, '1.5', 'must be a whole number from 0, not "1.5"'],
  [parsers.parseWholeNumber, '9007199254740993', 'must be a whole number from 0, not "9007199254740993"'],
  [parsers.parseCount, '1', 1],
  [parsers.parseCount, '0', 'must be at least 1, not "0"'],
  [parsers.parseCount, '-1', 'must be a whole number from 0, not "-1"'],
  [parsers.parsePort, '65535', 65_535],
  [parsers.parsePort, '65536', 'must be a port from 0 to 65535 (0: any free one), not "65536"'],
  [parsers.parsePort, 'http', 'must be a whole number from 0, not "http"'],
  [parsers.kubernetesMinor, '1.30', '1.30'],
  [parsers.kubernetesMinor, 'v1.30', 'must be a Kubernetes minor version such as 1.29, not "v1.30"'],
  [parsers.kubernetesMinor, '1.30.2', 'must be a Kubernetes minor version such as 1.29, not "1.30.2"'],
  [parsers.parseTimestamp, '2024-01-28T16:00:00Z', Date.UTC(2024, 0, 28, 16)],
  [parsers.parseTimestamp, '2024-01-28T16:00:00.5Z', Date.UTC(2024, 0, 28, 16, 0, 0, 500)],
  [parsers.parseTimestamp, '2024-01-28T18:00:00+02:00', Date.UTC(2024, 0, 28, 16)],
  [parsers.parseTimestamp, '2024-01-28T16:00Z', Date.UTC(2024, 0, 28, 16)],
  [
    parsers.parseTimestamp,
    '2024-01-28T16:00:00',
    'must be a time such as 2024-01-28T16:00:00Z, not "2024-01-28T16:00:00"',
  ],
  [parsers.parseTimestamp, '2024-01-28', 'must be a time such as 2024-01-28T16:00:00Z, not "2024-01-28"'],
  [
    parsers.parseTimestamp,
    '2024-13-28T16:00:00Z',
    'must be a time such as 2024-01-28T16:00:00Z, not "2024-13-28T16:00:00Z"',
  ],
  [parsers.parseTimestamp, 'tomorrow', 'must be a time such as 2024-01-28T16:00:00Z, not "tomorrow"'],
  [parsers.parseDeploymentName, 'kube-system/karpenter', 'kube-system/karpenter'],
  [
    parsers.parseDeploymentName,
    'karpenter',
    'must be a namespace and a name such as kube-system/karpenter, not "karpenter"',
  ],
  [parsers.parseRegion, 'us-gov-west-1', 'us-gov-west-1'],
  [parsers.parseRegion, 'us-east-1a', 'must be an AWS region such as us-east-1, not "us-east-1a"'],
  [parsers.parseZones, 'us-east-1a,us-east-1b', ['us-east-1a', 'us-east-1b']],
  [parsers.parseZones, 'us-east-1a,b', 'must be zone names such as us-east-1a separated by commas; "b" is none'],
  [parsers.parseZones, 'us-east-1a,us-east-1a', 'names a zone twice: "us-east-1a,us-east-1a"'],
  [parsers.hostNames, 'host.docker.internal,[::1]', ['host.docker.internal', '[::1]']],
  [
    parsers.hostNames,
    'host:80',
    'must be host names or addresses without ports, separated by commas; "host:80" is none',
  ],
  [parsers.hostNames, '', 'must be host names or addresses without ports, separated by commas; "" is none'],
  [parsers.dnsName, 'my-cluster', 'my-cluster'],
  [parsers.dnsName, 'my_cluster', 'must be letters, digits and dashes, at most 100, not "my_cluster"'],
  [parsers.dnsName, 'c'.repeat(101), `must be letters, digits and dashes, at most 100, not "${'c'.repeat(101)}"`],
  [parsers.parsePlainText, ' as typed ', ' as typed '],
];

describe('a value on the command line', () => {
  for (const [parse, text, outcome] of cases)
    test(`${parse.name} of "${text.slice(0, 40)}"`, () => expect(readWith(parse, text)).toEqual(outcome));
});
