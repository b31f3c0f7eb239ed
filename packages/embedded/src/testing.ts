/** For tests of those who use this package. */
export { changeReadModel } from './testing/change-read-model';
export { dumpReadModel, readModelsIn } from './testing/dump';
export type { DamagedFile, DamageOutcome, FileDamage } from './testing/damage';
export { createDamageTrials, type DamageTrials } from './testing/damage-trials';
