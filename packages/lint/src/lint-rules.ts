import { budgetReasonsRule, budgetWindowRule } from './budgets/limit-rules.ts';
import { budgetReadableRule } from './budgets/readable.ts';
import { budgetNeverClosesRule, budgetNeverOpensRule } from './budgets/schedule-rules.ts';
import { budgetClosedRule, budgetExpiryRule, budgetShadowedRule } from './budgets/strictness-rules.ts';
import { movingImageRule } from './images/moving-rules.ts';
import { endedFamilyRule, knownIssueRule, agedPinRule } from './images/pin-rules.ts';
import type { LintRule } from './lint-rule.ts';
import { stuckPodBudgetRule, twoPodBudgetsRule } from './pod-budgets/pod-budget-rules.ts';
import {
  contradictionRule,
  emptyPoolRule,
  gracePeriodRule,
  missingNodeClassRule,
  narrowSpotRule,
  protectedTemplateRule,
  staticLimitRule,
  unlimitedPoolRule,
} from './pools/pool-rules.ts';
import { policyAgeRule, policyOpenWindowRule, policyWindowRule } from './rollouts/policy-rules.ts';

/** Every rule, in the order of the documentation. */
export const lintRules: readonly LintRule[] = [
  budgetReadableRule,
  budgetWindowRule,
  budgetReasonsRule,
  budgetShadowedRule,
  budgetClosedRule,
  budgetNeverOpensRule,
  budgetNeverClosesRule,
  budgetExpiryRule,
  twoPodBudgetsRule,
  stuckPodBudgetRule,
  knownIssueRule,
  agedPinRule,
  endedFamilyRule,
  movingImageRule,
  contradictionRule,
  emptyPoolRule,
  staticLimitRule,
  narrowSpotRule,
  gracePeriodRule,
  protectedTemplateRule,
  unlimitedPoolRule,
  missingNodeClassRule,
  policyWindowRule,
  policyOpenWindowRule,
  policyAgeRule,
];
