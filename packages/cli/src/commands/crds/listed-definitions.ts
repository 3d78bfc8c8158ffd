import { type CustomResourceDefinition, listConvertedCrds, listKarpenterCrds } from '@nodewright/apis';
import type { CrdsFlags } from './flags.ts';

/** Karpenter's definitions as the flags ask for them: v1 alone, or v1beta1 too with a webhook. */
export const listPrintedCrds = ({
  conversionWebhook,
}: Pick<CrdsFlags, 'conversionWebhook'>): readonly CustomResourceDefinition[] =>
  conversionWebhook === undefined ? listKarpenterCrds() : listConvertedCrds(conversionWebhook);
