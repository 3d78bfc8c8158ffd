import { expect, test } from 'vitest';
import { listModelLosses } from '../../../../scripts/aws-model-losses.mjs';

const table = {
  structures: { CreateFleetRequest: { Type: 'FleetType' } },
  types: { FleetType: { values: ['instant', 'request'] }, Name: {} },
};
const shapes = {
  CreateFleetRequest: { members: { Type: {}, DryRun: {} } },
  FleetType: { enum: ['request', 'maintain', 'instant'] },
  Name: {},
};

test('a model that has everything of a table, and more, is no older', () => {
  expect(listModelLosses({ shapes }, table)).toEqual([]);
});

test('an older model lacks a structure, a member, a type or a value', () => {
  const older = { CreateFleetRequest: { members: {} }, FleetType: { enum: ['request', 'maintain'] } };
  expect(listModelLosses({ shapes: older }, table)).toEqual([
    'the member CreateFleetRequest.Type',
    'the value instant of FleetType',
    'the type Name',
  ]);
  expect(listModelLosses({ shapes: { FleetType: shapes.FleetType, Name: {} } }, table)).toEqual([
    'the structure CreateFleetRequest',
  ]);
});
