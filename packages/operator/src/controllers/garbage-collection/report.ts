import { counterEntry, logEntry, type ReportEntry } from '../../reporting/report-entry.ts';
import type { GarbageAction } from './plan.ts';

/** @param action that was performed */
export function reportGarbage(action: GarbageAction): readonly ReportEntry[] {
  switch (action.kind) {
    case 'deleteClaim':
      return [counterEntry('claimDisrupted', action.claim, 'garbage_collected')];
    case 'terminate':
      return [
        logEntry('info', 'garbage collected cloudprovider instance', { 'provider-id': action.instance.providerId }),
      ];
  }
}
