/** Runs before each file of tests: what informers store and what is worked out from is frozen. See ADR 7. */
import { sealSharedObjectsWith } from '@nodewright/apis';
import { freezeShared } from './freeze-shared.ts';

sealSharedObjectsWith(freezeShared);
