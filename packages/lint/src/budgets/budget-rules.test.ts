import { aPoolWithoutFindings, testLintExamples } from '@nodewright/testkit';
import { lintManifests } from '../lint-manifests.ts';
import { budgetReasonsRule, budgetWindowRule } from './limit-rules.ts';
import { budgetReadableRule } from './readable.ts';
import { budgetNeverClosesRule, budgetNeverOpensRule } from './schedule-rules.ts';
import { budgetClosedRule, budgetExpiryRule, budgetShadowedRule } from './strictness-rules.ts';

const nightly = { schedule: '0 22 * * *', duration: '6h' };

testLintExamples(
  [
    budgetReasonsRule,
    budgetWindowRule,
    budgetReadableRule,
    budgetNeverClosesRule,
    budgetNeverOpensRule,
    budgetClosedRule,
    budgetExpiryRule,
    budgetShadowedRule,
  ],
  lintManifests,
  [
    {
      rule: 'budget-unreadable',
      fact: 'a time zone',
      objects: [
        aPoolWithoutFindings({ budgets: [{ nodes: '10%', schedule: 'TZ=Europe/Berlin 0 22 * * *', duration: '6h' }] }),
      ],
      tells: 'no time zone',
    },
    {
      rule: 'budget-unreadable',
      fact: 'a macro',
      objects: [aPoolWithoutFindings({ budgets: [{ nodes: '10%', schedule: '@daily', duration: '6h' }] })],
    },
    {
      rule: 'budget-is-no-window',
      fact: 'a budget meant as a window',
      objects: [aPoolWithoutFindings({ budgets: [{ nodes: '20%', ...nightly }] })],
      tells: '{nodes: "0", schedule: "0 4 * * *", duration: 18h}',
    },
    {
      rule: 'budget-is-no-window',
      fact: 'its next openings',
      objects: [aPoolWithoutFindings({ budgets: [{ nodes: '20%', ...nightly }] })],
      tells: '2026-01-15T22:00Z to 2026-01-16T04:00Z, 2026-01-16T22:00Z',
    },
    {
      rule: 'budget-is-no-window',
      fact: 'closed hours without a limit for the others',
      objects: [aPoolWithoutFindings({ budgets: [{ nodes: '0', ...nightly }] })],
      tells: 'add {nodes: "10%"} without a schedule',
    },
    {
      rule: 'budget-is-no-window',
      fact: 'closed hours beside a limit',
      objects: [aPoolWithoutFindings({ budgets: [{ nodes: '0', ...nightly }, { nodes: '10%' }] })],
    },
    {
      rule: 'budget-reasons-unlimited',
      fact: 'a budget for drift alone',
      objects: [aPoolWithoutFindings({ budgets: [{ nodes: '1', reasons: ['Drifted'] }] })],
      tells: 'no budget limits Empty and Underutilized',
    },
    {
      rule: 'budget-reasons-unlimited',
      fact: 'an empty list',
      objects: [aPoolWithoutFindings({ budgets: [] })],
      tells: 'Empty, Drifted and Underutilized',
    },
    { rule: 'budget-reasons-unlimited', fact: 'no budgets, which is 10%', objects: [aPoolWithoutFindings()] },
    {
      rule: 'budget-without-effect',
      fact: 'a wider budget at night',
      objects: [aPoolWithoutFindings({ budgets: [{ nodes: '0' }, { nodes: '50%', ...nightly }] })],
      tells: '{nodes: "0"} is always active and at least as strict',
    },
    {
      rule: 'budget-without-effect',
      fact: 'the same twice, told once',
      objects: [aPoolWithoutFindings({ budgets: [{ nodes: '10%' }, { nodes: '10%' }] })],
      tells: 'remove one of them',
    },
    {
      rule: 'budget-without-effect',
      fact: 'a count beside a share',
      objects: [aPoolWithoutFindings({ budgets: [{ nodes: '3' }, { nodes: '10%' }] })],
    },
    {
      rule: 'budget-without-effect',
      fact: 'a stricter one for one reason',
      objects: [aPoolWithoutFindings({ budgets: [{ nodes: '10%' }, { nodes: '5%', reasons: ['Drifted'] }] })],
    },
    {
      rule: 'budget-always-closed',
      fact: 'zero for drift',
      objects: [aPoolWithoutFindings({ budgets: [{ nodes: '10%' }, { nodes: '0%', reasons: ['Drifted'] }] })],
      tells: 'Drifted never replaces a node',
    },
    {
      rule: 'budget-always-closed',
      fact: 'zero at night',
      objects: [aPoolWithoutFindings({ budgets: [{ nodes: '10%' }, { nodes: '0', ...nightly }] })],
    },
    {
      rule: 'budget-schedule-never-comes',
      fact: '31 February',
      objects: [
        aPoolWithoutFindings({ budgets: [{ nodes: '10%' }, { nodes: '0', schedule: '0 0 31 2 *', duration: '1h' }] }),
      ],
      tells: 'always active',
    },
    {
      rule: 'budget-schedule-never-comes',
      fact: '29 February',
      objects: [
        aPoolWithoutFindings({ budgets: [{ nodes: '10%' }, { nodes: '0', schedule: '0 0 29 2 *', duration: '1h' }] }),
      ],
    },
    {
      rule: 'budget-window-never-closes',
      fact: 'every hour for two',
      objects: [aPoolWithoutFindings({ budgets: [{ nodes: '1', schedule: '@hourly', duration: '2h' }] })],
      tells: 'leave no gap',
    },
    {
      rule: 'budget-window-never-closes',
      fact: 'weekends',
      objects: [aPoolWithoutFindings({ budgets: [{ nodes: '1', schedule: '0 0 * * 6', duration: '48h' }] })],
    },
    {
      rule: 'expiry-asks-no-budget',
      fact: 'closed hours and the default of 720h',
      objects: [aPoolWithoutFindings({ budgets: [{ nodes: '10%' }, { nodes: '0', ...nightly }] })],
      tells: 'nodes go after 720h',
    },
    {
      rule: 'expiry-asks-no-budget',
      fact: 'nodes that never expire',
      objects: [aPoolWithoutFindings({ budgets: [{ nodes: '0', ...nightly }], template: { expireAfter: 'Never' } })],
    },
  ],
);
