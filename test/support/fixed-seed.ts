/**
 * Property tests draw the same cases in every run, so that what fails is the change's fault and fails again.
 * BOATHOOK_TEST_SEED draws others, as soak tests do each time.
 */
import fc from "fast-check";

const SEED = 20_261_122;

fc.configureGlobal({
  ...fc.readConfigureGlobal(),
  seed: Number(process.env["BOATHOOK_TEST_SEED"] ?? SEED),
});
