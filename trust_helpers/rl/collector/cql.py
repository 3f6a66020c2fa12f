"""Conservative Q-learning, and cloning with the same network, on logged transitions; compiled by JAX.

The losses are those of Kumar et al. (2020) with the settings of the code that the paper cites. Layer normalisation in
the critics, normalised observations and the averaged policy are not in it; :class:`.recipe.Baseline` says why.
"""

from functools import partial
from itertools import pairwise
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import optax

from ...checks import Array
from .recipe import Baseline
from .rollouts import GaussianPolicy

__all__ = ["Batch", "State", "averaged_policy", "loss", "train", "untrained", "values"]

Tree = Any


class Batch(NamedTuple):
    """Transitions, one to a row: ``going`` is 0 where the episode ended for good after it, else 1."""

    states: Tree
    actions: Tree
    rewards: Tree
    after: Tree
    going: Tree


class State(NamedTuple):
    """All that training goes on from; ``learned`` has the policy, the two critics and the log temperature."""

    learned: Tree
    optimiser: Tree
    target: Tree
    average: Tree
    updates: Tree


def untrained(recipe: Baseline, dimensions: tuple[int, int], key: Tree) -> State:
    """Networks before the first update, for so many numbers in a state and in an action."""
    (of_state, of_action), (first, second) = dimensions, jax.random.split(key)
    policy = _network(first, (of_state, *recipe.hidden, 2 * of_action))
    policy[-1] = (
        policy[-1][0],
        policy[-1][1].at[of_action:].set(-1.0),
    )  # log standard deviations, as in the cited code
    make = jax.vmap(lambda one: _network(one, (of_state + of_action, *recipe.hidden, 1)))
    learned = {"policy": policy, "critics": make(jax.random.split(second)), "log_temperature": jnp.zeros(())}
    optimiser = optax.adam(recipe.learning_rate).init(learned)
    return State(learned, optimiser, learned["critics"], policy, jnp.zeros((), int))


@partial(jax.jit, static_argnames=("recipe", "updates"))
def train(recipe: Baseline, data: Batch, state: State, key: Tree, updates: int) -> State:
    """The state so many updates later, each on a random batch of the data."""
    adam = optax.adam(recipe.learning_rate)

    def update(state: State, key: Tree) -> tuple[State, None]:
        rows, noise = jax.random.split(key)
        chosen = jax.random.randint(rows, (recipe.batch,), 0, len(data.rewards))
        slope = jax.grad(loss)(state.learned, state.target, Batch(*(x[chosen] for x in data)), noise, recipe)
        step, optimiser = adam.update(slope, state.optimiser)
        learned, count = optax.apply_updates(state.learned, step), state.updates + 1
        target = optax.incremental_update(learned["critics"], state.target, recipe.target_rate)
        # a plain mean as long as that forgets faster
        average = optax.incremental_update(learned["policy"], state.average, jnp.maximum(recipe.averaging, 1 / count))
        return State(learned, optimiser, target, average, count), None

    return jax.lax.scan(update, state, jax.random.split(key, updates))[0]


def values(critics: Tree, states: Tree, actions: Tree, layer_norm: bool, each: int | None = None) -> Tree:
    """Both critics' values, first axis, of states and actions; of actions of its ``each``, if their first axis says."""
    pairs = jnp.concatenate([jnp.broadcast_to(states, (*actions.shape[:-1], states.shape[-1])), actions], axis=-1)
    return jax.vmap(lambda net, x: _forward(net, x, layer_norm)[..., 0], (0, each))(critics, pairs)


def averaged_policy(state: State, mean: Array, deviation: Array) -> GaussianPolicy:
    """The averaged policy with its mean actions, on observations as the simulators give them."""
    (first, shift), *hidden, (kernel, bias) = [(np.asarray(kernel), np.asarray(bias)) for kernel, bias in state.average]
    first = first / deviation[:, None]
    taken_off = first.astype(np.float32), (shift - mean @ first).astype(np.float32)
    last = zip(np.split(kernel, 2, axis=1), np.split(bias, 2), strict=True)
    return GaussianPolicy((taken_off, *hidden, *last), "mean")


def loss(learned: Tree, target: Tree, batch: Batch, key: Tree, recipe: Baseline) -> Tree:
    """CQL's losses of the critics, the policy and the temperature, in a sum: none moves what another is about.

    Cloning's is minus the mean log density of the logged actions.
    """
    if recipe.method == "cloning":
        mean, log_std = _gaussian(learned["policy"], batch.states)
        before = jnp.arctanh(batch.actions)
        return -_log_density(before, (before - mean) * jnp.exp(-log_std), log_std).mean()
    now, later, far, chosen = jax.random.split(key, 4)
    fixed = jax.lax.stop_gradient(learned)
    critics, temperature = learned["critics"], jnp.exp(fixed["log_temperature"])
    # the critics: a temporal difference, and the soft maximum over all actions less the logged one's value
    (next_action,), _ = _draw(fixed["policy"], batch.after, later, 1)
    next_value = values(target, batch.after, next_action, recipe.layer_norm).min(0)
    here = values(critics, batch.states, batch.actions, recipe.layer_norm)
    error = here - (batch.rewards + recipe.discount * batch.going * next_value)
    actions, log_densities = _everywhere(fixed["policy"], batch, far, recipe.action_samples)
    scores = values(fixed["critics"], batch.states, actions, recipe.layer_norm) - log_densities
    # one action drawn by the soft maximum's weights: the gradient of its value is that of the soft maximum on average
    drawn = jnp.take_along_axis(actions, jax.random.categorical(chosen, scores, axis=1)[..., None], axis=0)
    conservative = values(critics, batch.states, drawn, recipe.layer_norm, each=0) - here
    critics_loss = (error**2 + recipe.conservative_weight * conservative).mean(1).sum()
    # the policy and its temperature, as in SAC
    (action,), (log_density,) = _draw(learned["policy"], batch.states, now, 1)
    value = values(fixed["critics"], batch.states, action, recipe.layer_norm).min(0)
    policy_loss = (temperature * log_density - value).mean()
    excess = jax.lax.stop_gradient(log_density).mean() - batch.actions.shape[-1]
    return critics_loss + policy_loss - learned["log_temperature"] * excess


def _everywhere(policy: Tree, batch: Batch, key: Tree, samples: int) -> tuple[Tree, Tree]:
    """Actions for each state with their log densities: any, the policy's there, and its own a step later."""
    keys, (rows, of_action) = jax.random.split(key, 3), batch.actions.shape
    anywhere = jax.random.uniform(keys[0], (samples, rows, of_action), minval=-1, maxval=1)
    uniform = anywhere, jnp.full((samples, rows), -of_action * jnp.log(2.0))
    here, later = (_draw(policy, x, k, samples) for x, k in zip((batch.states, batch.after), keys[1:], strict=True))
    return jax.tree.map(lambda *parts: jnp.concatenate(parts), uniform, here, later)


def _draw(policy: Tree, states: Tree, key: Tree, samples: int) -> tuple[Tree, Tree]:
    """So many actions for each state, first axis, and their log densities."""
    mean, log_std = _gaussian(policy, states)
    noise = jax.random.normal(key, (samples, *mean.shape))
    before = mean + jnp.exp(log_std) * noise
    return jnp.tanh(before), _log_density(before, noise, log_std)


def _log_density(before: Tree, noise: Tree, log_std: Tree) -> Tree:
    r"""Of an action tanh(before), where before is Gaussian: :math:`\log(1-\tanh^2 u)=2(\log 2-u-\log(1+e^{-2u}))`."""
    squashed = 2 * (jnp.log(2.0) - before - jax.nn.softplus(-2 * before))
    return (jax.scipy.stats.norm.logpdf(noise) - log_std - squashed).sum(-1)


def _gaussian(policy: Tree, states: Tree) -> tuple[Tree, Tree]:
    mean, log_std = jnp.split(_forward(policy, states, layer_norm=False), 2, axis=-1)
    return mean, jnp.clip(log_std, -20, 2)


def _forward(net: Tree, x: Tree, layer_norm: bool) -> Tree:
    for kernel, bias in net[:-1]:
        x = x @ kernel + bias
        x = jax.nn.relu(jax.nn.standardize(x, axis=-1) if layer_norm else x)
    kernel, bias = net[-1]
    return x @ kernel + bias


def _network(key: Tree, sizes: tuple[int, ...]) -> list[tuple[Tree, Tree]]:
    """Layers as the cited code begins them: uniform within 1/sqrt(inputs), the last one small and without bias."""
    layers = []
    for one, (inputs, outputs) in zip(jax.random.split(key, len(sizes) - 1), pairwise(sizes), strict=True):
        both = jax.random.uniform(one, (inputs + 1, outputs), minval=-1, maxval=1) / np.sqrt(inputs)
        layers.append((both[:-1], both[-1]))
    small = 1e-2 * np.sqrt(6 / (inputs + outputs)) * np.sqrt(inputs)
    layers[-1] = (small * layers[-1][0], jnp.zeros(outputs))
    return layers
