import { expect, test } from 'vitest';
import type { ApiObject } from '../storage/api-object.ts';
import { unknownField } from './unknown-field.ts';

const ec2NodeClass = {
  apiVersion: 'karpenter.k8s.aws/v1',
  kind: 'EC2NodeClass',
  metadata: { name: 'default' },
  spec: { amiFamily: 'AL2', amiVersion: 'v20220824' },
} as ApiObject;

test.each([
  {
    fact: 'a field that was proposed once is told with what to write instead',
    path: 'spec.amiVersion',
    object: ec2NodeClass,
    told: 'unknown field "spec.amiVersion", which is not supported: write amiSelectorTerms: [{alias: al2@v20220824}]',
  },
  {
    fact: 'any other is told as an API server tells it',
    path: 'spec.amiVersions',
    object: ec2NodeClass,
    told: 'unknown field "spec.amiVersions"',
  },
  {
    fact: 'kinds of other people may have fields of that name',
    path: 'spec.amiVersion',
    object: { ...ec2NodeClass, apiVersion: 'example.com/v1' },
    told: 'unknown field "spec.amiVersion"',
  },
])('$fact', ({ path, object, told }) => {
  expect(unknownField(path, object)).toBe(told);
});
