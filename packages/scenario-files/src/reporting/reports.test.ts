import { instant } from '@nodewright/apis';
import { expect, test } from 'vitest';
import type { ScenarioResult } from '../playing/scenario-result.ts';
import { printJunit } from './junit.ts';
import { reportObject } from './result-object.ts';

const start = instant(Date.parse('2026-03-02T08:00:00Z'));

const passed: ScenarioResult = {
  name: 'the web gets its nodes',
  case: '',
  file: 'first.yaml',
  seed: 1,
  startedAt: start,
  endedAt: instant(start + 50_500),
  remarks: ['ServiceMonitor is left out'],
  passedOver: [],
};

const failed: ScenarioResult = {
  ...passed,
  name: 'a bad image',
  case: 'with "ours"',
  file: 'second.yaml',
  seed: 2,
  remarks: [],
  passedOver: [],
  failure: {
    kind: 'expect',
    place: { file: 'second.yaml', line: 8, column: 15 },
    text: 'nodes.size() <= 0 && "a" < "b"',
    because: 'nothing runs',
    message: 'is false',
    at: instant(start + 50_000),
    values: [{ text: 'nodes.size()', value: '1' }],
    before: [{ at: instant(start + 2_000), by: 'controller', what: 'created', text: 'NodeClaim \u0007default' }],
  },
};

test('JUnit has a suite for each file, seconds of the cluster, and failures as XML text', () => {
  expect(printJunit([passed, failed])).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="nodewright" tests="2" failures="1">
  <testsuite name="first.yaml" tests="1" failures="0">
    <testcase classname="first.yaml" name="the web gets its nodes, seed 1" time="50.5"/>
  </testsuite>
  <testsuite name="second.yaml" tests="1" failures="1">
    <testcase classname="second.yaml" name="a bad image (with &quot;ours&quot;), seed 2" time="50.5">
      <failure message="second.yaml:8:15: is false">expect: nodes.size() &lt;= 0 &amp;&amp; &quot;a&quot; &lt; &quot;b&quot;: is false
nodes.size() is 1</failure>
    </testcase>
  </testsuite>
</testsuites>
`);
});

test('JUnit has no control characters, which XML has no place for', () => {
  const text = printJunit([{ ...passed, name: 'bell \u0007 and\u001b[31m red' }]);
  expect(text).toContain('name="bell   and [31m red, seed 1"');
});

test('JUnit of no plays is a document', () => {
  expect(printJunit([])).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="nodewright" tests="0" failures="0">
</testsuites>
`);
});

test('a report has every play, and for a failure its place, its values, what led there, and how to play it again', () => {
  expect(reportObject([passed, failed], 'nodewright test')).toEqual({
    kind: 'ScenarioReport',
    passed: 1,
    failed: 1,
    plays: [
      {
        scenario: 'the web gets its nodes',
        file: 'first.yaml',
        seed: 1,
        result: 'passed',
        startedAt: '2026-03-02T08:00:00Z',
        endedAt: '2026-03-02T08:00:50Z',
        clusterSeconds: 50.5,
        remarks: ['ServiceMonitor is left out'],
      },
      {
        scenario: 'a bad image',
        case: 'with "ours"',
        file: 'second.yaml',
        seed: 2,
        result: 'failed',
        startedAt: '2026-03-02T08:00:00Z',
        endedAt: '2026-03-02T08:00:50Z',
        clusterSeconds: 50.5,
        remarks: [],
        failure: {
          kind: 'expect',
          file: 'second.yaml',
          line: 8,
          column: 15,
          text: 'nodes.size() <= 0 && "a" < "b"',
          message: 'is false',
          because: 'nothing runs',
          at: '2026-03-02T08:00:50Z',
          values: [{ text: 'nodes.size()', value: '1' }],
          before: [{ at: '2026-03-02T08:00:02Z', by: 'controller', what: 'created', text: 'NodeClaim \u0007default' }],
          runAgain: `nodewright test second.yaml --filter 'a bad image (with "ours")' --seed 2`,
        },
      },
    ],
  });
});
