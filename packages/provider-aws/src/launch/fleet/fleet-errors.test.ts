import { expect, test } from 'vitest';
import { fleetOutcomeOf } from './fleet-errors.ts';

for (const { codes, outcome } of [
  { codes: ['InsufficientInstanceCapacity', 'UnfulfillableCapacity'], outcome: { kind: 'insufficientCapacity' } },
  {
    codes: ['AuthFailure.ServiceLinkedRoleCreationNotPermitted'],
    outcome: { kind: 'insufficientCapacity', warning: { reason: 'SpotSLRCreationFailed' } },
  },
  {
    codes: ['AuthFailure.ServiceLinkedRoleCreationNotPermitted', 'SomethingNew'],
    outcome: { kind: 'refused', warning: { reason: 'SpotSLRCreationFailed' } },
  },
  {
    codes: ['InsufficientInstanceCapacity', 'InvalidAMIID.NotFound'],
    outcome: { kind: 'refused', reason: 'AMINotFound' },
  },
  { codes: ['UnauthorizedOperation'], outcome: { kind: 'refused', reason: 'Unauthorized' } },
  {
    codes: ['InvalidLaunchTemplateName.NotFoundException'],
    outcome: { kind: 'refused', reason: 'LaunchTemplateNotFound' },
  },
  { codes: ['SomethingNew'], outcome: { kind: 'refused', reason: 'LaunchFailed' } },
] as const) {
  test(`a fleet that ends with ${codes.join(' and ')} is ${JSON.stringify(outcome)}`, () => {
    expect(fleetOutcomeOf(codes.map((ErrorCode) => ({ ErrorCode, ErrorMessage: 'no' })))).toMatchObject(outcome);
  });
}
