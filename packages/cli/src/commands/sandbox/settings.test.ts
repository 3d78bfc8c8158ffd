import { instant } from '@nodewright/apis';
import { describe, expect, test } from 'vitest';
import { InputError } from '../../terminal/exit-status.ts';
import type { SandboxFlags } from './flags.ts';
import { sandboxPorts, sandboxSettings, sandboxStart } from './settings.ts';

const flags: SandboxFlags = {
  speed: 1,
  kubernetesPort: 0,
  awsPort: 0,
  controller: true,
  withWorkloadControllers: false,
};
const pair = { cert: '', key: '' };
const before = {
  clusterName: 'blue',
  region: 'eu-west-1',
  zones: ['eu-west-1a'],
  seed: 7,
  starts: 2,
  ports: { kubernetes: 6443, aws: 4566, control: 8001 },
  certificates: { ca: '', server: pair, admin: pair },
};

test('a first start takes its settings from the flags', () => {
  expect(sandboxSettings({ ...flags, region: 'eu-west-1' }, undefined)).toEqual({
    clusterName: 'sandbox',
    region: 'eu-west-1',
    zones: ['eu-west-1a', 'eu-west-1b', 'eu-west-1c'],
    seed: 1,
    starts: 1,
  });
});

test('zones are those of the region', () => {
  const elsewhere = () => sandboxSettings({ ...flags, zones: ['us-east-1a', 'us-west-2a'] }, undefined);
  expect(elsewhere).toThrow('--zones: us-west-2a is no zone of the region us-east-1; zones are named as us-east-1a');
});

test('a local zone belongs to its region', () => {
  const zones = ['us-east-1a', 'us-east-1-bos-1a'];
  expect(sandboxSettings({ ...flags, zones }, undefined)).toMatchObject({ zones });
});

test('a later start is what the first one was', () => {
  expect(sandboxSettings(flags, before)).toMatchObject({
    clusterName: 'blue',
    zones: ['eu-west-1a'],
    seed: 7,
    starts: 3,
  });
  expect(sandboxSettings({ ...flags, clusterName: 'blue', seed: 7 }, before)).toMatchObject({ starts: 3 });
});

test('a later start refuses to become another sandbox', () => {
  const asGreen = () => sandboxSettings({ ...flags, clusterName: 'green' }, before);
  expect(asGreen).toThrow(InputError);
  expect(asGreen).toThrow('--cluster-name is green, but the sandbox in --data-dir has blue; leave the flag out');
});

test('ports are those of before, unless others are asked for', () => {
  expect(sandboxPorts(flags, undefined)).toEqual({ kubernetes: 0, aws: 0, control: 0 });
  expect(sandboxPorts({ ...flags, awsPort: 5000 }, before)).toEqual({ kubernetes: 6443, aws: 5000, control: 8001 });
});

describe('the clock', () => {
  const story = Date.UTC(2024, 0, 28, 16);
  const scenario = {
    name: 'old',
    about: '',
    kubernetesVersion: '1.28',
    startTime: '1970-01-01T00:00:00.007Z',
    exports: {},
    steps: [],
  };
  for (const { fact, given, last, earliest, start } of [
    { fact: 'begins in the past when time runs faster', given: { speed: 60 }, last: undefined, start: story },
    {
      fact: 'begins when the minor has images, if that is later',
      given: { speed: 60 },
      last: undefined,
      earliest: Date.UTC(2024, 9, 10),
      start: Date.UTC(2024, 9, 10),
    },
    { fact: 'begins when it is told to', given: { speed: 60, startTime: 5 }, last: undefined, start: 5 },
    { fact: 'begins when the scenario does, at every speed', given: { speed: 1, scenario }, last: undefined, start: 7 },
    { fact: 'goes on from what happened last in a scenario', given: { speed: 1, scenario }, last: 9, start: 9 },
    { fact: 'goes on from what happened last', given: { speed: 60 }, last: story + 9, start: story + 9 },
    { fact: 'never goes back', given: { speed: 1, startTime: 5 }, last: story, start: story },
  ]) {
    test(fact, () => {
      expect(sandboxStart({ ...flags, ...given }, last === undefined ? undefined : instant(last), earliest)).toBe(
        start,
      );
    });
  }
});
