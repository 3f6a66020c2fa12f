"""The losses, on problems whose answers are known."""

from dataclasses import replace

import numpy as np
import pytest

from trust_helpers.rl.collector.recipe import Baseline

pytestmark = pytest.mark.rl

SMALL = Baseline(hidden=(32, 32), batch=64, learning_rate=1e-3, target_rate=0.05, averaging=0.002)
ROWS = 20_000


def trained(recipe: Baseline, updates: int, **columns: np.ndarray):
    """The state after so many updates on one-number states and actions; a column left out is all zeros."""
    import jax

    from trust_helpers.rl.collector import cql

    given = {name: np.asarray(columns.get(name, np.zeros((ROWS, 1))), np.float32) for name in cql.Batch._fields}
    given |= {name: given[name].reshape(-1) for name in ("rewards", "going")}
    state = cql.untrained(recipe, (1, 1), jax.random.key(0))
    return cql.train(recipe, cql.Batch(**given), state, jax.random.key(1), updates)


def value_at(state, actions, recipe=SMALL) -> np.ndarray:
    """The average of the two critics at state 0."""
    from trust_helpers.rl.collector import cql

    actions = np.asarray(actions, np.float32)[:, None]
    return np.asarray(
        cql.values(state.learned["critics"], np.zeros((1,), np.float32), actions, recipe.layer_norm)
    ).mean(0)


def test_the_critics_fall_along_the_gradient_of_a_soft_maximum_found_by_quadrature():
    """One action drawn for each state by its weights, against the integral of exp Q over all actions."""
    import jax
    import jax.numpy as jnp

    from trust_helpers.rl.collector import cql

    rng, recipe = np.random.default_rng(0), replace(SMALL, action_samples=100)
    states, actions, rewards = rng.standard_normal((50, 1)), rng.uniform(-1, 1, (50, 1)), rng.standard_normal(50)
    batch = cql.Batch(*(jnp.asarray(x, jnp.float32) for x in (states, actions, rewards, states, np.zeros(50))))
    learned = cql.untrained(recipe, (1, 1), jax.random.key(0)).learned
    # critics whose values differ by some units, and a policy spread over all actions, so that no weight is large
    learned["critics"][-1] = (300 * learned["critics"][-1][0], learned["critics"][-1][1])
    learned["policy"][-1] = (learned["policy"][-1][0], jnp.array([0.0, 0.3]))

    def exact(critics):
        grid = jnp.linspace(-1, 1, 401)[1::2, None, None]
        everywhere = cql.values(critics, batch.states, jnp.broadcast_to(grid, (200, 50, 1)), recipe.layer_norm)
        here = cql.values(critics, batch.states, batch.actions, recipe.layer_norm)
        conservative = jax.nn.logsumexp(everywhere, axis=1) - here
        return ((here - batch.rewards) ** 2 + recipe.conservative_weight * conservative).mean(1).sum()

    slope = jax.jit(lambda key: jax.grad(cql.loss)(learned, learned["critics"], batch, key, recipe)["critics"])
    drawn = [flat(slope(key)) for key in jax.random.split(jax.random.key(2), 100)]
    error = np.linalg.norm(np.mean(drawn, axis=0) - flat(jax.grad(exact)(learned["critics"])))
    # the mean of a hundred has a tenth of one's error; so does, and is not, a gradient without the soft maximum
    assert error < 1.5 * np.linalg.norm(np.std(drawn, axis=0)) / 10
    assert error < 0.05 * np.linalg.norm(flat(jax.grad(exact)(learned["critics"])))


def flat(tree) -> np.ndarray:
    import jax

    return np.concatenate([np.ravel(x) for x in jax.tree.leaves(tree)])


def test_an_endless_reward_of_one_is_worth_its_discounted_sum():
    rng, recipe = np.random.default_rng(0), replace(SMALL, discount=0.8, conservative_weight=0.0)
    columns = {"actions": rng.uniform(-1, 1, (ROWS, 1)), "rewards": np.ones(ROWS)}
    for going, worth in ((1.0, 1 / (1 - 0.8)), (0.0, 1.0)):
        state = trained(recipe, 2000, **columns, going=np.full(ROWS, going))
        np.testing.assert_allclose(value_at(state, [-0.5, 0.0, 0.5]), worth, rtol=0.03)


def test_the_policy_finds_the_best_action_and_cloning_the_logged_one():
    """The reward falls with the distance from 0.5; the log has -0.3 or so in every state."""
    from trust_helpers.rl.collector import cql

    rng = np.random.default_rng(0)
    actions = np.tanh(rng.normal(-0.3, 0.5, (ROWS, 1)))
    columns = {"actions": actions, "rewards": -4 * (actions - 0.5) ** 2}
    best = trained(replace(SMALL, conservative_weight=0.1), 3000, **columns)
    copied = trained(replace(SMALL, method="cloning"), 3000, **columns)
    states, one = np.zeros((1, 1)), np.ones(1)
    (found,), (logged,) = (cql.averaged_policy(s, 0 * one, one).act(states, rng) for s in (best, copied))
    print(found, logged)
    assert found == pytest.approx(0.5, abs=0.1)
    assert logged == pytest.approx(np.tanh(-0.3), abs=0.02)


def test_the_averaged_policy_takes_states_as_they_come():
    """Cloning a = tanh(x / 100 - 5) of states about 500 that are shown to the network as z = (x - 500) / 100."""
    from trust_helpers.rl.collector import cql

    rng = np.random.default_rng(0)
    z = rng.standard_normal((ROWS, 1))
    noisy = np.tanh(0.5 * z + rng.normal(0, 0.1, z.shape))
    state = trained(replace(SMALL, method="cloning"), 2000, states=z, actions=noisy)
    policy = cql.averaged_policy(state, np.array([500.0]), np.array([100.0]))
    x = np.array([[400.0], [500.0], [600.0]])
    np.testing.assert_allclose(policy.act(x, rng), np.tanh(0.5 * (x - 500) / 100), atol=0.05)


def test_the_average_is_a_plain_mean_at_first():
    recipe = replace(SMALL, averaging=1e-4)
    states = [trained(recipe, n) for n in (1, 2, 3)]
    layers = np.array([np.asarray(s.learned["policy"][0][0]) for s in states])
    np.testing.assert_allclose(states[-1].average[0][0], layers.mean(0), atol=1e-6)
