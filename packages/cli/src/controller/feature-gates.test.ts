import { expect, test } from 'vitest';
import { listAwsGateWarnings, listGateWarnings } from './feature-gates.ts';

test.each([
  ['served gates', { NodeRepair: true, ReservedCapacity: false }, []],
  ['drift that is on', { Drift: true }, []],
  ['drift that is off', { Drift: false }, [expect.stringContaining('budgets: [{nodes: "0"')]],
  ['drift that is off twice', { Drift: false, DriftEnabled: false }, [expect.stringContaining('drift is part of v1')]],
  ['another spelling', { noderepair: true }, [expect.stringContaining('did you mean NodeRepair?')]],
  [
    'a name that is none',
    { Teleport: true },
    [expect.stringContaining('there are CapacityBuffer, ManifestWarnings, NodeOverlay')],
  ],
  ['a word of every object', { constructor: true }, [expect.stringContaining('there is no gate constructor')]],
])('%s', (_fact, gates, warnings) => {
  expect(listGateWarnings(new Map(Object.entries(gates)))).toEqual(warnings);
});

test.each([
  ['a served gate of the AWS provider', { NodeClassCEL: true }, []],
  ['another spelling of one', { nodeClassCel: true }, [expect.stringContaining('did you mean NodeClassCEL?')]],
  [
    'a gate of the core',
    { NodeRepair: true },
    [expect.stringContaining('AWS_FEATURE_GATES: there is no gate NodeRepair')],
  ],
])('%s', (_fact, gates, warnings) => {
  expect(listAwsGateWarnings(new Map(Object.entries(gates)))).toEqual(warnings);
});
